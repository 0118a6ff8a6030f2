/** Applications and the command line in one executable each, by the commands of the guide. */
import { assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { bun, run } from "./executables.ts";
import { Project, testsOn } from "./project.ts";

const HELLO = `import { GetMapping, PathVariable, RestController } from "irori";

@RestController()
export class HelloController {
  @GetMapping("/hello/{name}", PathVariable("name"))
  hello(name: string) {
    return { message: "Hello " + name };
  }
}
`;
/** Prints the answer of a server, and ends. */
const ASK = `const { url } = await app.listen();
console.log(await (await fetch(url + "/hello/Ada")).text());
await app.close();
`;
const applicationOf = (options: string) =>
  `import { dirname } from "node:path";
import { bootstrap } from "irori";
import { HelloController } from "./src/hello.ts";
const app = await bootstrap(${options});
${ASK}`;

const FILES = {
  "src/hello.ts": HELLO,
  "config/application.yml": "component-scan: ./src\nserver: { port: 0, address: 127.0.0.1 }\n",
  "migrations/main/1.sql": "CREATE TABLE users (name TEXT);\n",
  "main.ts": applicationOf(
    '{ components: [HelloController], config: { server: { port: 0, address: "127.0.0.1" } } }',
  ),
  "inside.ts": applicationOf("{ root: import.meta.dirname }"),
  "beside.ts": applicationOf("{ root: dirname(process.execPath), components: [HelloController] }"),
  "scanned.ts": applicationOf("{ root: process.cwd() }").replace(/import \{ Hello.*\n/, ""),
};
const GREETING = /^Listening on .*\n\{"message":"Hello Ada"\}\n$/;

const project = Project.fromTarball("hono@4").then(async (made) => {
  for (const [name, text] of Object.entries(FILES)) await made.write(name, text);
  return made;
});
const test = testsOn("executables", project);
const GUIDE = await Deno.readTextFile("docs/guide/runtimes.md");

/** A folder with the executable `app`, made by the command of the guide that begins like this. */
async function compiled(
  made: Project,
  start: string,
  entry?: string,
  ...more: string[]
): Promise<Project> {
  const away = await Project.empty();
  const [name, ...args] = GUIDE.split("\n").find((line) => line.startsWith(start))?.split(" ") ??
    [];
  const given = args.map((part) =>
    part.replace(/^(--outfile=)?dist\/\w+$/, `$1${away.file("app")}`).replace(
      /^main\.ts$/,
      entry ?? "main.ts",
    )
      .replace(/^jsr:.*$/, "node_modules/irori/bin.js")
  );
  const at = given.indexOf(entry ?? "main.ts");
  const placed = at < 0 ? given : given.toSpliced(at, 0, ...more);
  await run([...(name === "bun" ? await bun() : [Deno.execPath()]), ...placed], { cwd: made.path });
  return away;
}

const BUN_BUILD = "bun build main.ts --compile";

test("bun build --compile + an application with listed components runs alone", async (made) => {
  await using away = await compiled(made, BUN_BUILD);
  assertMatch(await run([away.file("app")], { cwd: away.path }), GREETING);
});

test("bun build --compile + a root inside the executable fails as the guide shows", async (made) => {
  await using away = await compiled(made, BUN_BUILD, "inside.ts");
  const error = await assertRejects(() => run([away.file("app")], { cwd: away.path }), Error);
  const [, shown = ""] = /^```text\n(.*)\n```$/m.exec(GUIDE) ?? [];
  assertStringIncludes(error.message, shown);
});

test("bun build --compile + configuration files are beside the executable", async (made) => {
  await using away = await compiled(made, BUN_BUILD, "beside.ts");
  await away.write("config/application.yml", "server: { port: 0, address: 127.0.0.1 }\n");
  assertMatch(await run([away.file("app")], { cwd: "." }), GREETING);
});

test("bun build --compile + a component scan on disk needs the option of the guide", async (made) => {
  await using alone = await compiled(made, BUN_BUILD, "scanned.ts");
  const error = await assertRejects(() => run([alone.file("app")], { cwd: made.path }), Error);
  assertMatch(
    error.message,
    /ScanError: Cannot import '.*hello.ts' for the component scan: Cannot find package 'irori'/,
  );
  const option = "--compile-autoload-package-json";
  await using away = await compiled(made, BUN_BUILD, "scanned.ts", option);
  assertMatch(await run([away.file("app")], { cwd: made.path }), GREETING);
});

test("bun build --compile + the command line migrates and describes controllers", async (made) => {
  await using away = await compiled(made, "bun build node_modules/irori/bin.js --compile");
  await usesCommandLine(away.file("app"), made);
});

/** `deno compile` downloads what it adds the application to. */
const canCompile = Deno.env.has("DENORT_BIN") ||
  await fetch("https://dl.deno.land/release-latest.txt", { signal: AbortSignal.timeout(5000) })
    .then(async (response) => (await response.body?.cancel(), response.ok), () => false);

function denoTest(name: string, fn: (made: Project) => Promise<void>): void {
  Deno.test({
    name: `executables + deno compile + ${name}`,
    ignore: !canCompile,
    sanitizeOps: false,
    sanitizeResources: false,
    fn: async () => await fn(await project),
  });
}

denoTest("an application with listed components runs alone", async (made) => {
  await using away = await compiled(made, "deno compile --allow-net");
  assertMatch(await run([away.file("app")], { cwd: away.path }), GREETING);
});

denoTest("a root inside the executable needs included files", async (made) => {
  await using alone = await compiled(made, "deno compile --allow-net", "inside.ts", "-A");
  const error = await assertRejects(() => run([alone.file("app")], { cwd: alone.path }), Error);
  assertStringIncludes(error.message, "An executable contains no folders");
  const included = ["-A", "--include", "config", "--include", "src"];
  await using away = await compiled(made, "deno compile --allow-net", "inside.ts", ...included);
  assertMatch(await run([away.file("app")], { cwd: away.path }), GREETING);
});

denoTest("the command line migrates and describes controllers", async (made) => {
  await using away = await compiled(made, "deno compile -A --output dist/irori");
  await usesCommandLine(away.file("app"), made);
});

async function usesCommandLine(file: string, made: Project): Promise<void> {
  const config = "component-scan: ./src\ndatasource:\n" +
    "  - { name: main, url: 'sqlite:./app.db', migrations: { enabled: true } }\n";
  await made.write("cli/application.yml", config);
  await made.write("cli/src/hello.ts", HELLO);
  await Deno.remove(made.file("cli/app.db")).catch(() => {});
  const irori = (...args: string[]) =>
    run([file, "-c", "cli", "--sqlPath", "migrations", ...args], { cwd: made.path });
  assertMatch(await irori("migrate"), /main: up to date, 1 applied/);
  assertMatch(await irori("routes"), /GET +\/hello\/\{name\}/);
  assertEquals(Object.keys(JSON.parse(await irori("contract", "--json"))), ["HelloController"]);
}
