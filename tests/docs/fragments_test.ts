/** Blocks of the guide that are no programs by themselves, each in a project as a reader has it. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { walk } from "@std/fs/walk";
import { fromFileUrl } from "@std/path";
import { started } from "../e2e/command_line.ts";
import { DENO, run } from "../runtimes/executables.ts";
import { fragmentOf, takenBy } from "../runtimes/guide.ts";
import { Project, testsOn } from "../runtimes/project.ts";
import { serving } from "../runtimes/serving.ts";
import { startClusterDouble } from "../servers/cluster_double.ts";
import { blocksOfPages } from "./pages.ts";

/** Texts by paths. */
type Files = Readonly<Record<string, string>>;

/** A block, and what it takes to run it. */
interface Fragment {
  readonly code: string;
  /** Code that stands elsewhere on the page or that the reader writes. */
  readonly before?: string;
  /** Prints the result. */
  readonly after?: string;
  /** Files beside the code. */
  readonly files?: Files;
  /** Whether the contract of `../server` is beside it, too. */
  readonly contract?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  /** How the header `Authorization` has to begin at the cluster whose URL is `CLUSTER`, and which is to be migrated. */
  readonly authorization?: string;
  /** All that is printed. */
  readonly prints: RegExp;
}

const BOOTSTRAP = 'import { bootstrap } from "@irori/irori";\n';

const USERS = {
  "controllers/user_controller.ts":
    `import { Autowired, GetMapping, PathVariable, RestController } from "@irori/irori";
import { UserService } from "../services/user_service.ts";

@RestController()
export class UserController {
  @Autowired(UserService)
  private readonly users!: UserService;

  @GetMapping("/users/{id}", PathVariable("id", "int"))
  get(id: number) {
    return this.users.get(id);
  }
}
`,
  "services/user_service.ts": `import { Service } from "@irori/irori";

@Service()
export class UserService {
  get(id: number) {
    return { id, name: "Ada" };
  }
}
`,
};
const SCAN =
  "component-scan: [./controllers, ./services]\nserver: { address: 127.0.0.1, port: 0 }\n";
const SCANNED = { ...USERS, "config/application.yml": SCAN };
/** Asks the application. */
const ASK = 'console.log(await (await app.request("/users/7")).text());\n';
/** Asks its server, and ends it. */
const FETCH = `const { url } = await app.listen();
console.log(await (await fetch(\`\${url}/users/7\`)).text());
Deno.kill(Deno.pid, "SIGTERM");
`;
const ADA = '{"id":7,"name":"Ada"}\n';
const LISTENS = "Listening on http://127\\.0\\.0\\.1:\\d+ \\(1 routes?, \\d+ ms\\)\n";
const applied = (file: string) => `Migration '${file}' applied \\(\\d+ ms\\)\n`;

const CONFIGURED = `${SCAN}datasource:
  - { name: main, url: "sqlite:./app.db", migrations: { enabled: true } }
`;
const DATABASE = {
  "config/application.yml": CONFIGURED,
  "migrations/main/1.sql": "CREATE TABLE users (name TEXT);\n",
};

const ORDERS = {
  "controllers/order_controller.ts":
    `import { GetMapping, HttpStatus, Model, PathVariable, PostMapping, Problem } from "@irori/irori";
import { RequestBody, ResponseEntity, RestController, ServerSentEvent } from "@irori/irori";
import * as z from "zod";

class NewOrder extends Model(z.object({ sku: z.string(), count: z.int().default(1) })) {}
class OutOfStock extends Problem({
  status: HttpStatus.CONFLICT,
  type: "/problems/out-of-stock",
  schema: z.object({ sku: z.string() }),
}) {}

@RestController()
export class OrderController {
  @PostMapping({ path: "/orders", problems: [OutOfStock] }, RequestBody(NewOrder))
  create({ sku }: NewOrder): void {
    throw new OutOfStock({ sku });
  }

  @GetMapping({ path: "/orders/{id}", returns: z.object({ sku: z.string() }) }, PathVariable("id", "int"))
  find(id: number): ResponseEntity<{ sku: string }> {
    return ResponseEntity.ok().withHeader("ETag", '"2"').withJson({ sku: "A-" + id });
  }

  @GetMapping("/orders/{id}/events", PathVariable("id", "int"))
  async *events(id: number) {
    for (const event of ["sent", "delivered", "paid"]) {
      yield await Promise.resolve(new ServerSentEvent({ order: id }, { event, id: event.slice(0, 1) }));
    }
  }
}
`,
  "controllers/file_controller.ts":
    `import { GetMapping, PathVariable, PostMapping, RestController } from "@irori/irori";
import { MultipartStream, type Part } from "@irori/irori/multipart";
import * as z from "zod";

@RestController()
export class FileController {
  @PostMapping({ path: "/files", returns: z.object({ names: z.array(z.string()) }) }, MultipartStream())
  async upload(parts: AsyncIterable<Part>) {
    const names: string[] = [];
    for await (const { filename, type } of parts) if (filename) names.push(\`\${filename} (\${type})\`);
    return { names };
  }

  @GetMapping({ path: "/files/{name}", produces: "image/jpeg" }, PathVariable("name"))
  download(name: string) {
    return new TextEncoder().encode(name);
  }
}
`,
};

const CLIENT = {
  contract: true,
  files: Object.fromEntries(
    Object.entries({ ...SCANNED, ...ORDERS }).map(([path, text]) => [`../server/${path}`, text]),
  ),
  // The network.
  before:
    `${BOOTSTRAP}const server = await bootstrap({ root: \`\${import.meta.dirname}/../server\` });
globalThis.fetch = async (input, init) => {
  const request = new Request(input, init);
  if (new URL(request.url).origin !== "https://example.com") throw new TypeError(request.url);
  return await server.fetch(request);
};
`,
};

function clusterFiles(auth: string): Files {
  return {
    "config/application.yml":
      `search:\n  - { name: logs, hosts: ["\${CLUSTER}"], ${auth}, migrations: { enabled: true } }\n`,
    "migrations/logs/1.json": '{"method":"PUT","path":"/logs/_doc/1","body":{"text":"a"}}',
  };
}

const AWS = {
  files: clusterFiles("auth: { type: aws, region: eu-central-1 }"),
  env: {
    AWS_ACCESS_KEY_ID: "AKIAEXAMPLE",
    AWS_SECRET_ACCESS_KEY: "wJalrXUtnFEMI",
    AWS_PROFILE: "",
  },
  authorization: "AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE/",
};

/** Deno needs no installation, but another name then. */
function sdkOfNpm(code: string): string {
  return code.replaceAll(
    '"@aws-sdk/credential-providers"',
    '"npm:@aws-sdk/credential-providers@3"',
  );
}

/** The output of `irori types` for the table of `types.md`, shortened. */
const USERS_TYPES = `export interface Users { id: string; name: string }
export interface NewUsers { name: string }
type Column<S, I> = { readonly __select__: S; readonly __insert__: I; readonly __update__: I };
export interface Database { users: { id: Column<string, never>; name: Column<string, string> } }
`;

const FRAGMENTS: Readonly<Record<string, Fragment>> = {
  jobs: {
    code: fragmentOf("background-jobs.md", "extensions: [jobs(), actuator()]")
      .replace("jobs()", "jobs({ memory: true })"),
    files: SCANNED,
    after: FETCH,
    prints: RegExp(`^${LISTENS}${ADA}$`),
  },
  "types of payloads": {
    before: 'import type { Jobs } from "@irori/irori/jobs";\n',
    code: fragmentOf("background-jobs.md", "interface JobPayloads"),
    after: `const right = (jobs: Jobs) => jobs.enqueue("send-webhook", { url: "/", orderId: 1 });
// @ts-expect-error -- it has no order
const wrong = (jobs: Jobs) => jobs.enqueue("send-webhook", { url: "/" });
const other = (jobs: Jobs) => jobs.enqueue("other", { any: 1 });
console.log(right.length, wrong.length, other.length);
`,
    prints: /^1 1 1\n$/,
  },
  actuator: {
    code: fragmentOf("actuator.md", "datasourceHealth()"),
    files: {
      ...USERS,
      ...DATABASE,
      "config/application.yml": `${CONFIGURED}management:
  endpoints: { include: [health, migrations] }
  endpoint: { health: { show-details: always } }
`,
    },
    after: `for (const path of ["health", "migrations"]) {
  console.log(await (await app.request(\`/actuator/\${path}\`)).text());
}
`,
    prints: /"main":\{"status":"UP".*\n.*"main":\[\{"file":"1\.sql","state":"applied",/,
  },
  "a health indicator of drift": {
    code: fragmentOf("sql-schema.md", "driftHealth("),
    files: {
      ...USERS,
      ...DATABASE,
      "config/application.yml":
        `${CONFIGURED}management: { endpoint: { health: { show-details: always } } }\n`,
    },
    after: `console.log(await (await app.request("/actuator/health")).text());\n`,
    prints: /"mainDrift":\{"status":"UNKNOWN","details":\{"error":"The first comparison goes on"/,
  },
  beans: {
    code: fragmentOf("beans.md", "bootstrap("),
    files: SCANNED,
    before: BOOTSTRAP,
    after: ASK,
    prints: RegExp(`^${ADA}$`),
  },
  "client of a class": {
    ...CLIENT,
    code: fragmentOf("client.md", "client<UserController>("),
    after: "console.log(name satisfies string);\n",
    prints: /^Ada\n$/,
  },
  "client of a contract": {
    ...CLIENT,
    code: fragmentOf("client.md", "isProblem("),
    prints: /^A-1\n$/,
  },
  "client that retries": {
    ...CLIENT,
    code: fragmentOf("client.md", "response.json()"),
    prints: /^A-7 "2"\n$/,
  },
  "client of events": {
    ...CLIENT,
    code: fragmentOf("client.md", "lastEventId"),
    prints: /^s sent \{ order: 7 \}\nd delivered \{ order: 7 \}\n$/,
  },
  "client of files": {
    ...CLIENT,
    code: fragmentOf("client.md", "file.upload("),
    prints: /^\[ "photo.jpg \(image\/jpeg\)", "notes.txt \(text\/plain\)" \]\n9\n$/,
  },
  lifecycle: {
    code: fragmentOf("lifecycle.md", "app.listen()"),
    files: { ...USERS, ...DATABASE },
    after: `await Deno.stat("app.db");\n${FETCH}`,
    prints: RegExp(`^${applied("main/1.sql")}${LISTENS}${ADA}$`),
  },
  migrations: {
    code: fragmentOf("migrations.md", "loadConfig"),
    files: clusterFiles("username: ada, password: engine"),
    authorization: `Basic ${btoa("ada:engine")}`,
    after: "console.log(results.map(({ file, outcome }) => [file, outcome]));\n",
    prints: /^\[ \[ "1\.json", "applied" \] \]\n$/,
  },
  "runtimes, a bundle": {
    code: fragmentOf("runtimes.md", "port: 8080").replace("8080", '0, address: "127.0.0.1"'),
    files: USERS,
    after: FETCH,
    prints: RegExp(`^${LISTENS}${ADA}$`),
  },
  "Amazon, an application": {
    ...AWS,
    code: sdkOfNpm(fragmentOf("search-migrations.md", "await bootstrap(")),
    prints: RegExp(`^${applied("logs/1.json")}$`),
  },
  "Amazon, a job": {
    ...AWS,
    code: sdkOfNpm(fragmentOf("search-migrations.md", "console.table")),
    prints: /"logs" .* "1\.json" .* "applied"/,
  },
  "a rule that asks a bean": {
    code: fragmentOf("security.md", "authorOf(id)"),
    before: `import {
  bootstrap, Model, PathVariable, PutMapping, RequestBody, RestController,
} from "@irori/irori";
import { basic, PreAuthorize, type Principal, security } from "@irori/irori/security";
import * as z from "zod";

class IssueForm extends Model(z.object({ title: z.string() })) {}

@RestController()
class IssueController {
  readonly issues = {
    authorOf: (id: number) => Promise.resolve(id === 7 ? "ada" : "grace"),
    change: (id: number, { title }: IssueForm) => \`\${id}: \${title}\`,
  };
`,
    after: `}
const users = [{ name: "ada", password: "engine" }];
const app = await bootstrap({
  components: [IssueController],
  extensions: [security({ schemes: { basic: basic({ users }) } })],
});
const headers = {
  Authorization: \`Basic \${btoa("ada:engine")}\`,
  "Content-Type": "application/json",
};
for (const id of [7, 8]) {
  const body = JSON.stringify({ title: "Tea" });
  const response = await app.request(\`/issues/\${id}\`, { method: "PUT", headers, body });
  console.log(response.status, response.ok && await response.text());
}
`,
    prints: /^200 7: Tea\n403 false\n$/,
  },
  "paths of security()": {
    code: fragmentOf("security.md", "/legacy/admin/"),
    before: `import { bootstrap } from "@irori/irori";
import { actuator } from "@irori/irori/actuator";
import { openApi } from "@irori/irori/openapi";
import { basic, security } from "@irori/irori/security";

const users = ["ops", "admin"].map((role) => ({ name: role, password: "secret", roles: [role] }));
const schemes = { basic: basic({ users }) };
const secured =
`,
    after: `const app = await bootstrap({
  config: { management: { endpoints: { include: "*" } } },
  extensions: [secured, openApi(), actuator()],
});
for (const path of ["/docs", "/docs/start.js", "/legacy/admin/users", "/legacy/users"]) {
  app.hono.get(path, (context) => context.text(path));
}
const paths = [
  ...["/openapi.json", "/docs", "/docs/start.js"],
  ...["/actuator/env", "/legacy/admin/users", "/legacy/users"],
];
for (const user of [undefined, "ops", "admin"]) {
  const headers = user ? { Authorization: \`Basic \${btoa(user + ":secret")}\` } : undefined;
  const statuses = paths.map(async (path) => (await app.request(path, { headers })).status);
  console.log((await Promise.all(statuses)).join(" "));
}
`,
    prints: /^200 200 200 401 401 401\n200 200 200 200 403 200\n200 200 200 403 200 200\n$/,
  },
  "migrations of a package": {
    code: fragmentOf("project-layout.md", "pathOf("),
    files: DATABASE,
    before: 'import { DatabaseSync } from "node:sqlite";\n',
    after: `await migrate();
console.log(new DatabaseSync("app.db").prepare("SELECT * FROM users").all().length);
`,
    prints: /^0\n$/,
  },
  "migrations on a pool": {
    code: fragmentOf("sql-migrations.md", "using: { main: pool }"),
    files: {
      "config/application.yml": "datasource:\n  - { name: main, migrations: { enabled: true } }\n",
      "migrations/main/1.sql": "CREATE TABLE users (name TEXT);\n",
    },
    before: `${BOOTSTRAP}import { migrateSql } from "@irori/irori/migrations";
import { DatabaseSync } from "node:sqlite";

const root = import.meta.dirname;
const pool = new DatabaseSync(":memory:");
`,
    after: 'console.log(pool.prepare("SELECT * FROM users").all().length);\n',
    prints: RegExp(`^${applied("main/1.sql")}0\n$`),
  },
  tenants: {
    code: fragmentOf("tenants.md", "migrateTenant"),
    files: {
      "config/application.yml":
        `datasource: { name: shop, url: "sqlite:acme.db", migrations: { enabled: true, each: { urls: ["sqlite:acme.db"] } } }`,
      "migrations/shop/1.sql": "CREATE TABLE users (name TEXT);\n",
    },
    after: 'console.log((await Deno.stat("acme.db")).isFile);\n',
    prints: /^true\n$/,
  },
  backfills: {
    code: fragmentOf("backfills.md", "backfillSql"),
    before: `${BOOTSTRAP}import { scheduling } from "@irori/irori/scheduling";\n`,
    files: {
      ...DATABASE,
      "config/application.yml": CONFIGURED.slice(SCAN.length),
    },
    after: `const extensions = [scheduling({ manager: false })];
const app = await bootstrap({ root: import.meta.dirname, components: [Backfills], extensions });
console.log(JSON.stringify(await app.context.get(Backfills).run(new AbortController().signal)));
await app.close();
`,
    prints: /\{"main":\[\]\}\n$/,
  },
  "generated types": {
    code: fragmentOf("types.md", "new Kysely")
      .replace('"kysely"', '"npm:kysely@^0.28.17"'),
    files: { "database.ts": USERS_TYPES },
    after: "console.log(insert.compile().sql, find.length);\n",
    prints: /^insert into "users" \("name"\) values \(\$1\) returning "id" 2\n$/,
  },
  "migrations by libSQL": {
    code: fragmentOf("sql-migrations.md", "using: { main: client }")
      .replace('"@libsql/client"', '"npm:@libsql/client@^0.18.0"'),
    files: {
      "config/application.yml": "datasource:\n  - { name: main, migrations: { enabled: true } }\n",
      "migrations/main/1.sql": "CREATE TABLE users (name TEXT);\n",
    },
    before: `${BOOTSTRAP}import { migrateSql } from "@irori/irori/migrations";

const root = import.meta.dirname;
`,
    after: 'console.log((await client.execute("SELECT * FROM users")).rows.length);\n',
    prints: RegExp(`^${applied("main/1.sql")}0\n$`),
  },
  drizzle: {
    code: fragmentOf("from-other-runners.md", "using: { main: pool }"),
    files: {
      "config/application.yml": "datasource:\n  - { name: main, migrations: { enabled: true } }\n",
      "migrations/main/1.sql": "CREATE TABLE users (name TEXT);\n",
    },
    before: `${BOOTSTRAP}import { DatabaseSync } from "node:sqlite";

const root = import.meta.dirname;
const pool = new DatabaseSync(":memory:");
`,
    after: 'console.log(pool.prepare("SELECT * FROM users").all().length);\n',
    prints: RegExp(`^${applied("main/1.sql")}0\n$`),
  },
  tracing: {
    code: fragmentOf("metrics.md", "OTLPTraceExporter()"),
    files: SCANNED,
    before: `${BOOTSTRAP}import { tracing } from "@irori/irori/tracing";

const collector = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
  const { resourceSpans } = await request.json();
  console.log(new URL(request.url).pathname, resourceSpans[0].scopeSpans[0].spans[0].name);
  return new Response("{}");
});
Deno.env.set("OTEL_EXPORTER_OTLP_ENDPOINT", \`http://127.0.0.1:\${collector.addr.port}\`);
`,
    after: FETCH,
    prints: RegExp(`^${LISTENS}${ADA}/v1/traces GET /users/\\{id\\}\n$`),
  },
};

const CONFIG = ["--config", fromFileUrl(new URL("../../deno.json", import.meta.url))];

/** Each in a folder of its own. */
const project = Project.empty().then(async (made) => {
  for (const [name, { code, before = "", after = "", files, contract }] of entries()) {
    await write(made, name, { ...files, "main.ts": before + code + after });
    if (contract) {
      const { code, stdout, stderr } = await started(["contract"], made.file(`${name}/server`));
      assertEquals(code, 0, stderr);
      await write(made, name, { "contract.ts": stdout });
    }
  }
  return made;
});
const test = testsOn("fragments of the guide", project);

test("the compiler takes all of them", async (made) => {
  const files = entries().map(([name]) => made.file(`${name}/app/main.ts`));
  const command = [Deno.execPath(), "check", "--quiet", "--no-lock", ...CONFIG, ...files];
  await run(command, { cwd: made.path, env: { NO_COLOR: "1" } });
});

for (const [name, { env, authorization, prints }] of entries()) {
  test(name, async (made) => {
    await using cluster = startClusterDouble({
      intercept: (_line, _body, { headers }) =>
        headers.get("Authorization")?.startsWith(authorization ?? "")
          ? undefined
          : new Response("{}", { status: 401 }),
    });
    const printed = await run(["timeout", "-k", "5", "60", ...DENO, ...CONFIG, "main.ts"], {
      cwd: made.file(`${name}/app`),
      env: { NO_COLOR: "1", CLUSTER: cluster.url, ...env },
    });
    assertMatch(printed, prints);
    const isMigrated = cluster.requests.some(({ line }) => line.startsWith("PUT /logs/_doc/1"));
    assertEquals(isMigrated, authorization !== undefined);
  });
}

test("what `deno serve` takes", async (made) => {
  const code = fragmentOf("lifecycle.md", "export default");
  await write(made, "serve", { ...SCANNED, "main.ts": BOOTSTRAP + code });
  const options = ["-A", "--no-lock", "--host", "127.0.0.1", "--port", "0"];
  const command = [Deno.execPath(), "serve", ...options, ...CONFIG, "main.ts"];
  await using server = await serving(command, made.file("serve/app"), 1);
  assertEquals(await (await fetch(`${server.urls[0]}/users/7`)).text(), ADA.trim());
});

test("what `irori openapi` finds", async (made) => {
  const before = `import { openApi } from "@irori/irori/openapi";

const toJsonSchema = () => ({ type: "string" });
const securitySchemes = { token: { type: "http", scheme: "bearer" } };
`;
  await write(made, "openapi", {
    ...USERS,
    "config/application.yml": "component-scan: [./controllers, ./src]\n",
    "src/documentation.ts": before + fragmentOf("openapi.md", "jsonSchema: toJsonSchema,"),
  });
  const { code, stdout, stderr } = await started(["openapi"], made.file("openapi/app"));
  assertEquals(code, 0, stderr);
  const { securitySchemes } = JSON.parse(stdout).components;
  assertEquals(securitySchemes, { token: { type: "http", scheme: "bearer" } });
});

Deno.test("blocks of pages + each that no doc test runs is run by another test", async () => {
  const taken = new Set<string>();
  for await (const { path } of walk("tests", { includeDirs: false })) {
    if (!path.endsWith(".ts")) continue;
    for (const { place } of takenBy(await Deno.readTextFile(path))) taken.add(place);
  }
  const ignored = (await blocksOfPages()).filter(({ isIgnored }) => isIgnored);
  assert(ignored.length > 0);
  assertEquals(ignored.map(({ place }) => place).filter((place) => !taken.has(place)), []);
});

function entries(): [string, Fragment][] {
  return Object.entries(FRAGMENTS);
}

async function write(made: Project, name: string, files: Files): Promise<void> {
  for (const [path, text] of Object.entries(files)) await made.write(`${name}/app/${path}`, text);
}
