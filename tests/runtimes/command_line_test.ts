/** The command line as users get it: from the packed tarball, in one file, and as an executable. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { fromFileUrl, toFileUrl } from "@std/path";
import { stop, transform } from "esbuild";
import { DatabaseSync } from "node:sqlite";
import { type Outcome, type Workspace, workspace } from "../e2e/command_line.ts";
import { type ClusterDouble, startClusterDouble } from "../servers/cluster_double.ts";
import { builtBinary, builtCli } from "./built_cli.ts";
import { bun, type Command, DENO, node } from "./executables.ts";
import { Project } from "./project.ts";

const LIBRARY = new URL("../../mod.ts", import.meta.url);
/** This one finds the packages of the folder that it runs in, and no others. */
const OUTSIDE = () => undefined;
const CLI = fromFileUrl(new URL("../../cli.ts", import.meta.url));
const built = Promise.all([Project.fromTarball(), Project.empty()]).then(async ([npm, cli]) => {
  return { npm, file: await builtCli(cli.path), executable: await builtBinary(cli.path), cli };
});

test("the sources on Deno", () => [...DENO, CLI], () => fromFileUrl(LIBRARY));
for (const major of [22, 24] as const) {
  test(`the package on Node ${major}`, async ({ npm }) => {
    const [command = ""] = await node(major);
    // `npx` starts the script of `node_modules/.bin` by the command in its first line.
    return ["env", `PATH=${command.replace(/\/node$/, "")}:${Deno.env.get("PATH")}`].concat(
      npm.file("node_modules/.bin/irori"),
    );
  });
}
test("the package on Bun", async ({ npm }) => [...await bun(), npm.file(BIN)]);
test("the package on Deno", ({ npm }) => [...DENO, npm.file(BIN)]);

for (const major of [22, 24] as const) {
  test(`one file on Node ${major}`, async ({ file }) => [...await node(major), file]);
}
test("one file on Bun", async ({ file }) => [...await bun(), file]);
test("one file on Deno", ({ file }) => [...DENO, file], OUTSIDE);
test("the executable", ({ executable }) => [executable]);

Deno.test({
  name: "irori + the executable has the drivers of databases in it",
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const { executable } = await built;
    for (const scheme of ["postgres", "mysql"]) {
      const url = `${scheme}://user:word@127.0.0.1:${unusedPort()}/db`;
      await using space = await workspace({
        "config/application.yml":
          `datasource:\n  - name: main\n    url: ${url}\n    migrations: { enabled: true }\n`,
        "migrations/main/1.sql": "SELECT 1;",
      });
      const { code, stderr } = await run([executable], space, []);
      assertMatch(stderr, /^error: main: Cannot connect to 'db' at .*ECONNREFUSED/);
      assertEquals(code, 7);
    }
  },
});

Deno.test({
  name: "irori + the executable takes the packages of an application, and names the one it lacks",
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const { npm, executable } = await built;
    await using space = await workspace({
      "config/application.yml": "component-scan: ./controllers\n",
      "controllers/hello.ts": `
        import { GetMapping, RestController } from "irori";
        @RestController()
        export class Hello { @GetMapping("/hello") get(): string { return "hello"; } }
      `,
    });
    const lacking = await run([executable], space, ["contract"]);
    assertEquals(lacking.code, 2);
    assertMatch(lacking.stderr, /^error: Cannot import '.*hello.ts' .* package 'irori'/);
    await Deno.symlink(npm.file("node_modules"), `${space.path}/node_modules`);
    const { code, stdout } = await run([executable], space, ["contract", "--json"]);
    assertEquals([code, Object.keys(JSON.parse(stdout))], [0, ["Hello"]]);
  },
});

Deno.test.afterAll(async () => {
  const { npm, cli } = await built;
  for (const project of [npm, cli]) await project[Symbol.asyncDispose]();
});

/** Node 22 prints this when its SQLite is loaded. */
const SQLITE_WARNING = /^\(node:\d+\) ExperimentalWarning: SQLite .*\n\(Use `node .*\n/;

const BIN = "node_modules/irori/bin.js";

function test(
  name: string,
  command: (folders: Awaited<typeof built>) => Command | Promise<Command>,
  library = ({ npm }: Awaited<typeof built>): string | undefined =>
    npm.file("node_modules/irori/mod.js"),
): void {
  Deno.test({
    name: `irori + ${name} migrates a cluster and a database, and describes controllers`,
    // A build is shared, so it outlives the test that asked for it first.
    sanitizeOps: false,
    sanitizeResources: false,
    async fn() {
      const folders = await built;
      const found = await command(folders);
      await using cluster = startClusterDouble();
      await using space = await workspace(treeFor(cluster));
      await migratesCluster(cluster, (...args) => run(found, space, args));
      await comparesWithSchemas(space, (...args) => run(found, space, args));
      await migratesDatabase(space, (...args) => run(found, space, args));
      const path = library(folders);
      await stops(space, found);
      if (path) await describes(space, path, (...args) => run(found, space, args));
      const full = await run(["sh", "-c", '"$0" "$@" >/dev/full', ...found], space, ["status"]);
      assertEquals([full.code, full.stdout], [1, ""]);
      assertMatch(full.stderr, /^error: Cannot write the output: .*no space left on device.*\n$/i);
      // Closed streams cannot be distinguished from those that are only read.
      const closed = ["sh", "-c", '"$0" "$@" 2</dev/null', ...found];
      const unheard = await run(closed, space, ["status", "--json"]);
      assertEquals([unheard.code, unheard.stderr], [0, ""]);
      const wrong = await run(found, space, ["migrat"]);
      assertEquals(wrong.code, 2);
      assertStringIncludes(wrong.stderr, "Did you mean migrate?");
    },
  });
}

type Run = (...args: string[]) => Promise<Outcome>;

async function migratesCluster(cluster: ClusterDouble, irori: Run): Promise<void> {
  const first = await irori("-m", "search");
  assertEquals([first.code, first.stderr], [0, ""]);
  assertMatch(first.stdout, /2 files, 2 pending/);
  const sent = cluster.requests.map(({ line }) => line);
  assertEquals(sent.filter((line) => /^PUT \/(?:_index_template|_plugins)/.test(line)), [
    "PUT /_index_template/logs",
    "PUT /_plugins/_ism/policies/keep",
  ]);
  const second = await irori("-m", "search");
  assertEquals([second.code, second.stderr], [0, ""]);
  assertMatch(second.stdout, /up to date, 2 unchanged \(1 round trip\)/);
}

async function comparesWithSchemas(space: Workspace, irori: Run): Promise<void> {
  const file = "migrations/logs/3/own-template.json";
  await space.write(file, '{"index_pattern":["own-*"],"template":{}}');
  const { code, stderr } = await irori("validate", "-m", "search");
  assertEquals(code, 0);
  assertMatch(
    stderr,
    /^warning: .*:1:2: Unknown key 'index_pattern': did you mean 'index_patterns'/,
  );
  await space.remove(file);
}

async function migratesDatabase(space: Workspace, irori: Run): Promise<void> {
  const first = await irori();
  assertEquals([first.code, first.stderr], [0, ""]);
  const database = new DatabaseSync(`${space.path}/app.db`);
  assertEquals(database.prepare("SELECT name FROM users").all().map((row) => row.name), ["Ada"]);
  database.close();
  const second = await irori();
  assertEquals([second.code, second.stderr], [0, ""]);
  assertStringIncludes(second.stdout, "up to date, 1 unchanged");
}

/** A database within the process leaves little time for signals. */
async function stops(space: Workspace, [command = "", ...args]: Command): Promise<void> {
  for (let number = 1; number <= 200; number++) {
    const name = String(number).padStart(4, "0");
    await space.write(`migrations/main/2/${name}.sql`, `CREATE TABLE t${name} (id INTEGER);`);
  }
  const folders = ["-c", `${space.path}/config`, "--sqlPath", `${space.path}/migrations`];
  const child = new Deno.Command(command, {
    args: [...args, ...folders, "-v"],
    cwd: space.path,
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  let seen = "";
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    const isFirst = !seen.includes("applied");
    seen += text;
    if (isFirst && seen.includes("applied")) child.kill("SIGTERM");
  }
  assertEquals((await child.status).code, 143);
  assertMatch(seen, /stopped, \d+ applied, 1 unchanged, [1-9]\d* not run/);
}

/** The controllers of an application import its copy of the library, whichever copy the command line is. */
async function describes(space: Workspace, library: string, irori: Run): Promise<void> {
  const source = `
    import { Model, PostMapping, RequestBody, RestController } from "${toFileUrl(library)}";
    const schema = { "~standard": { version: 1, vendor: "tests", validate: (value) => ({ value }) } };
    class Greeting extends Model(schema) {}
    @RestController()
    export class GreetingController {
      @PostMapping("/greetings", RequestBody(Greeting))
      greet(greeting) { return greeting; }
    }
  `;
  const { code } = await transform(source, { loader: "ts", target: "es2022" });
  await stop();
  await space.write("controllers/greetings.js", code);
  const { stdout } = await irori("contract", "--json");
  assertEquals(JSON.parse(stdout), {
    GreetingController: {
      greet: { method: "POST", path: "/greetings", parameters: [{ in: "body", as: "body" }] },
    },
  });
  const document = JSON.parse((await irori("openapi")).stdout);
  assertEquals(Object.keys(document.components.schemas), ["Greeting", "ProblemDetail"]);
}

function treeFor({ url }: ClusterDouble): Record<string, string> {
  return {
    "config/application.yml": `
component-scan: ./controllers
search:
  - name: logs
    hosts: [${url}]
    migrations: { enabled: true }
datasource:
  - name: main
    url: sqlite:./app.db
    migrations: { enabled: true }
`,
    "migrations/logs/1/logs-template.json": '{"index_patterns":["logs-*"],"template":{}}',
    "migrations/logs/2/keep-policy.json":
      '{"policy":{"description":"d","default_state":"hot","states":[{"name":"hot","actions":[],"transitions":[]}]}}',
    "migrations/main/1/users.sql":
      "CREATE TABLE users (name TEXT); INSERT INTO users VALUES ('Ada');",
  };
}

function unusedPort(): number {
  using listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  return listener.addr.port;
}

async function run(
  [command = "", ...rest]: Command,
  { path }: Workspace,
  args: readonly string[],
): Promise<Outcome> {
  const { code, stdout, stderr } = await new Deno.Command(command, {
    args: [...rest, "-c", `${path}/config`, "--sqlPath", `${path}/migrations`, ...args],
    cwd: path,
    env: { NO_COLOR: "1" },
    stdin: "null",
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: text(stdout), stderr: text(stderr).replace(SQLITE_WARNING, "") };
}
