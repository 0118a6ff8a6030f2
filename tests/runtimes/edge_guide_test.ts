/** The workers of the guide, on Miniflare. */
import { assertEquals } from "@std/assert";
import { toFileUrl } from "@std/path";
import { ANSWERS_BESIDE_HONO } from "../features/browser/beside_hono.ts";
import { buildTools, edgeTools, node, run } from "./executables.ts";
import { fragmentOf, ofNpm, takeGuide } from "./guide.ts";
import { Project, testsOn } from "./project.ts";

const SMALL = {
  "config/application.yml":
    "component-scan: [./controllers, ./services]\ngreeting: ${GREETING:Hello}\n",
  "controllers/user_controller.ts": `import { Autowired, GetMapping, RestController } from "irori";
import { UserService } from "../services/user_service.ts";

@RestController()
export class UserController {
  @Autowired(UserService)
  private readonly users!: UserService;

  @GetMapping("/greeting")
  greet() {
    return this.users.greeting + " Ada";
  }
}
`,
  "services/user_service.ts": `import { Service, Value } from "irori";

@Service()
export class UserService {
  @Value("\${greeting}")
  readonly greeting!: string;
}
`,
  "worker.ts": ofNpm(fragmentOf("edge.md", "bootstrap({ components, config, env });")),
};

const project = Project.equipped();
const test = testsOn("the edge guide", project);

test("what is scanned is written as it is shown, and bindings fill it in", async (made) => {
  for (const [name, text] of Object.entries(SMALL)) await made.write(`small/${name}`, text);
  const options = { cwd: made.file("small") };
  await build(made, "esbuild", options);
  assertEquals(
    await Deno.readTextFile(made.file("small/components.gen.ts")),
    fragmentOf("edge.md", "Written by 'irori scan'"),
  );
  const events = 'console.log(await (await ask("/greeting")).text());';
  await made.write("small/drive.mjs", drive('bindings: { GREETING: "Salut" },', events));
  assertEquals(await driven(options), "Salut Ada\n");
});

test("a worker uses D1, KV, waitUntil, a bean with I/O and a schedule", async (made) => {
  await takeGuide("edge.md", made);
  await made.write("config/application.yml", "component-scan: ./src\n");
  const options = { cwd: made.path };
  await build(made, "irori", options);
  await made.write(
    "drive.mjs",
    drive(
      'd1Databases: ["DB"], kvNamespaces: ["PAGES"],',
      `const database = await miniflare.getD1Database("DB");
await database.exec("CREATE TABLE visits (page TEXT)");
const pages = await miniflare.getKVNamespace("PAGES");
await pages.put("title", "Pages");
await pages.put("home", "Welcome");
const visits = async () => (await database.prepare("SELECT * FROM visits").all()).results.length;
const answers = [];
for (let count = 1; count <= 2; count++) {
  answers.push(await (await ask("/pages/home")).json());
  while (await visits() < count); // Comes after the answer.
}
await (await miniflare.getWorker()).scheduled();
console.log(JSON.stringify([...answers, await visits()]));`,
    ),
  );
  const page = { title: "Pages", text: "Welcome" };
  assertEquals(JSON.parse(await driven(options)), [
    { ...page, visits: 0 },
    { ...page, visits: 1 },
    0,
  ]);
});

/** The form of what `wrangler types` writes: interfaces, which have no index signature. */
const BINDINGS = `declare namespace Cloudflare {
  interface Env { GREETING: string; DB: D1; PAGES: Pages }
}
interface Env extends Cloudflare.Env {}
interface D1 { prepare(sql: string): Statement }
interface Statement {
  bind(...values: unknown[]): Statement;
  run(): Promise<unknown>;
  first<T>(column: string): Promise<T>;
}
interface Pages { get(key: string): Promise<string | null> }
interface ExecutionContext {
  waitUntil(promise: Promise<unknown>): void;
  passThroughOnException(): void;
  props: unknown;
}
declare module "cloudflare:workers" {
  export const env: Cloudflare.Env;
}
`;

test("the workers compile with the types of their bindings", async (made) => {
  await takeGuide("edge.md", made);
  await made.write("config/application.yml", "component-scan: ./src\n");
  await made.write("bindings.d.ts", BINDINGS);
  await made.write("small.ts", SMALL["worker.ts"]);
  await run([...await node(24), made.file("node_modules/irori/bin.js"), "scan"], {
    cwd: made.path,
  });
  const compilerOptions = {
    ...{ target: "es2022", module: "nodenext", strict: true, types: [], noEmit: true },
    ...{ lib: ["esnext", "dom", "dom.iterable"], skipLibCheck: true },
    rewriteRelativeImportExtensions: true,
  };
  const files = ["worker.ts", "small.ts", "bindings.d.ts"];
  await made.write("tsconfig.json", JSON.stringify({ compilerOptions, files }));
  const tsc = `${await buildTools()}/node_modules/typescript/bin/tsc`;
  await run([...await node(24), tsc, "-p", "."], { cwd: made.path });
});

test("scheduled methods run by the events of the platform", async (made) => {
  const files = {
    "config/application.yml": "component-scan: [./tasks]\n",
    "tasks/counter.ts": `import { GetMapping, RestController } from "irori";
import { Scheduled } from "irori/scheduling";

@RestController()
export class Counter {
  #count = 0;

  @Scheduled({ every: 60 })
  add(): void {
    this.#count++;
  }

  @GetMapping("/count")
  count() {
    return this.#count;
  }
}
`,
    // The second application keeps ticks, and asks no database while the worker starts.
    "worker.ts": `import { bootstrap } from "irori/edge";
import { scheduling, withSchedules } from "irori/scheduling";
import { TransactionManager } from "irori/transactions";
import { components, config } from "./components.gen.ts";

class Offline extends TransactionManager {
  readonly connection = null;
  override readonly dialect = "sqlite";
  override query(): never {
    throw new Error("offline");
  }
  run(): never {
    throw new Error("offline");
  }
}

const extensions = [scheduling({ manager: new Offline() })];
await bootstrap({ components, config, extensions });
export default withSchedules(
  await bootstrap({ components, config, extensions: [scheduling()] }),
);
`,
  };
  for (const [name, text] of Object.entries(files)) await made.write(`scheduled/${name}`, text);
  const options = { cwd: made.file("scheduled") };
  await build(made, "irori", options);
  await made.write(
    "scheduled/drive.mjs",
    drive(
      "",
      `const worker = await miniflare.getWorker();
const minute = Math.floor(Date.now() / 60_000) * 60_000;
for (const time of [minute - 60_000, minute, minute]) {
  await worker.scheduled({ scheduledTime: new Date(time), cron: "* * * * *" });
}
console.log(await (await ask("/count")).text());`,
    ),
  );
  assertEquals(await driven(options), "2\n");
});

test("a Hono app differs by mount and route on workerd and Node", async (made) => {
  const worker = await Deno.readTextFile("tests/features/browser/beside_hono.ts");
  await made.write("beside/worker.ts", ofNpm(worker));
  const options = { cwd: made.file("beside") };
  const irori = made.file("node_modules/irori/bin.js");
  await run([...await node(24), irori, "build", "worker.ts"], options);
  await made.write("beside/drive.mjs", drive("", 'console.log(await (await ask("/")).text());'));
  assertEquals(JSON.parse(await driven(options)), ANSWERS_BESIDE_HONO);
  await made.write(
    "beside/here.mjs",
    `import worker from "./dist/worker.js";
console.log(await (await worker.fetch()).text());
`,
  );
  assertEquals(
    JSON.parse(await run([...await node(24), "here.mjs"], options)),
    ANSWERS_BESIDE_HONO,
  );
});

interface In {
  readonly cwd: string;
}

/** Scans and bundles, by one of the two commands of the page. */
async function build(made: Project, by: "esbuild" | "irori", options: In): Promise<void> {
  const tools = {
    irori: [...await node(24), made.file("node_modules/irori/bin.js")],
    esbuild: [`${await buildTools()}/node_modules/.bin/esbuild`],
  };
  await run([...tools.irori, "scan"], options);
  const guide = await Deno.readTextFile("docs/guide/edge.md");
  const [, command = ""] =
    new RegExp(`^npx ${by} ((?:build|worker)[^]*?)^\`\`\`$`, "m").exec(guide) ?? [];
  const rest = command.replaceAll("\\\n", "").trim().split(/\s+/);
  await run([...tools[by], ...rest], options);
}

/** Starts the worker with bindings and sends it events. */
function drive(bindings: string, events: string): string {
  return `const { Miniflare } = await import(process.argv[2]);
const miniflare = new Miniflare({
  modules: true,
  scriptPath: "dist/worker.js",
  compatibilityDate: "2025-09-01",
  host: "127.0.0.1",
  port: 0,
  cf: false,
  ${bindings}
});
const ask = (path) => miniflare.dispatchFetch("http://x" + path);
${events}
await miniflare.dispose();
`;
}

/** The output of the worker. */
async function driven(options: In): Promise<string> {
  const module = toFileUrl(`${await edgeTools()}/node_modules/miniflare/dist/src/index.js`).href;
  return await run(["timeout", "60", ...await node(24), "drive.mjs", module], options);
}
