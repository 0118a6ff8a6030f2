/** `irori-migrate` as npm installs it from its tarball: on each runtime, beside a project, and from a program. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { dirname, join } from "@std/path";
import { buildMigrate } from "../../tools/build_migrate.ts";
import { installed, npmInstall } from "../../tools/_npm.ts";
import type { Outcome } from "../e2e/command_line.ts";
import { startClusterDouble } from "../servers/cluster_double.ts";
import { bun, type Command, DENO, node } from "./executables.ts";
import { fragmentOf } from "./guide.ts";
import { Project, testsOn } from "./project.ts";

const BIN = "node_modules/irori-migrate/bin.js";
const CONFIGURED = {
  "config/application.yml":
    "datasource:\n  name: main\n  url: sqlite:shop.db\n  migrations: { enabled: true }\n",
  "migrations/main/001_orders.sql": "CREATE TABLE orders (id INTEGER PRIMARY KEY);\n",
};

async function project(): Promise<Project> {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  const made = await Project.empty();
  await npmInstall(made.path, [await buildMigrate(folder)]);
  await Deno.remove(folder, { recursive: true });
  return made;
}

const test = testsOn("irori-migrate", project());

async function run(
  [command = "", ...start]: Command,
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  // Other tests of the same process may set it.
  const { DATABASE_URL: _, ...inherited } = Deno.env.toObject();
  const { code, stdout, stderr } = await new Deno.Command(command, {
    args: [...start, ...args],
    cwd,
    clearEnv: true,
    env: { ...inherited, NO_COLOR: "1", NODE_NO_WARNINGS: "1", ...env },
    stdin: "null",
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: text(stdout), stderr: text(stderr) };
}

/** A folder with these files, gone after the work. */
async function within(
  tree: Readonly<Record<string, string>>,
  work: (folder: Project) => Promise<void>,
): Promise<void> {
  await using folder = await Project.empty();
  for (const [name, text] of Object.entries(tree)) await folder.write(name, text);
  await work(folder);
}

const RUNTIMES: Readonly<Record<string, () => Promise<Command>>> = {
  "Node 22": () => node(22),
  Bun: bun,
  Deno: () => Promise.resolve(DENO),
};

test("needs one other package", (made) => {
  const names = (folder: string) =>
    Array.from(Deno.readDirSync(made.file(folder)), ({ name }) => name);
  assertEquals(names("node_modules").filter((name) => !name.startsWith(".")).sort(), [
    "@standard-schema",
    "irori-migrate",
  ]);
  assertEquals(names("node_modules/.bin"), ["irori-migrate"]);
  return Promise.resolve();
});

for (const [runtime, command] of Object.entries(RUNTIMES)) {
  test(`migrates SQLite, and proposes a configuration: ${runtime}`, async (made) => {
    const start = [...await command(), made.file(BIN)];
    await within(CONFIGURED, async ({ path }) => {
      const irori = (...args: string[]) => run(start, path, args);
      assertMatch((await irori("--version")).stdout, /^\d+\.\d+\.\d+\n$/);
      assertStringIncludes((await irori("plan")).stdout, "main: 1 to apply");
      for (const options of [[], ["-c", "config"]]) {
        const shown = await irori(...options);
        assertEquals([shown.code, shown.stderr], [0, ""]);
        assertStringIncludes(shown.stdout, "main: 1 pending");
      }
      const search = await irori("-m", "search");
      assertStringIncludes(search.stdout, "Nothing to do: the configuration has no 'search'");
      assertStringIncludes((await irori("--lock-timeout", "5")).stdout, "main: 1 pending");
      const late = await irori("--write");
      assertEquals(late.code, 2);
      assertStringIncludes(late.stderr, "'status' has no option '--write'");
      const applied = await irori("migrate");
      assertEquals([applied.code, applied.stderr], [0, ""]);
      assertStringIncludes((await irori("status")).stdout, "main: 1 applied");
      const web = await irori("routes");
      assertEquals(web.code, 2);
      assertStringIncludes(web.stderr, "unknown command 'routes'");
      const unknown = await irori("resolve", "nothing.sql", "--applied");
      assertStringIncludes(unknown.stderr, "'irori-migrate status' lists them");
      const help = (await irori("--help")).stdout;
      assertStringIncludes(help, "Usage: irori-migrate [command]");
      assertStringIncludes(help, "show the status of each file (the default)\n");
      assertStringIncludes(help, "apply new and changed files\n");
    });
    const tree = {
      "migrations/1.sql": "CREATE TABLE a (n INT);\n",
      ".env": "DATABASE_URL=sqlite:a.db\n",
    };
    await within(tree, async ({ path }) => {
      const found = await run(start, path, []);
      assertEquals(found.code, 0, found.stderr);
      assertStringIncludes(found.stdout, "    url: ${DATABASE_URL}\n");
      assertStringIncludes(found.stdout, "main: 1 to apply");
      const written = await run(start, path, ["--write"]);
      const program = {
        Bun: "bunx irori-migrate",
        Deno: "deno run --env-file -A npm:irori-migrate",
      }[runtime] ?? `npm install irori-migrate && node --env-file=.env ${BIN}`;
      assertStringIncludes(written.stdout, `Next: ${program} adopt --dry-run\n`);
      const done = await run(start, path, ["migrate"], { DATABASE_URL: "sqlite:a.db" });
      assertEquals([done.code, done.stderr], [0, ""]);
    });
    await within({}, async ({ path }) => {
      const { code, stderr } = await run(start, path, []);
      assertEquals(code, 2);
      assertStringIncludes(stderr, "Found no files of another tool");
      const missing = await run(start, path, ["migrate"]);
      assertStringIncludes(missing.stderr, "there is no directory 'config'");
    });
  });
}

test("finds the driver of the project where 'npx' has put it elsewhere: Node 22", async (made) => {
  const start = [...await node(22), made.file(BIN)];
  const tree = {
    "migrations/1.sql": "SELECT 1;\n",
    ".env": "DATABASE_URL=postgres://me:hush@127.0.0.1:1/db\n",
  };
  await within(tree, async ({ path }) => {
    const without = await run(start, path, []);
    assertEquals(without.code, 2);
    assertStringIncludes(without.stdout, "Cannot find the package 'pg'");
    const packages = await installed("pg", ["pg@8.23.0"]);
    await Deno.symlink(join(packages, "node_modules"), join(path, "node_modules"));
    const found = await run(start, path, []);
    assertEquals(found.code, 7, found.stderr);
    assertMatch(found.stdout, /error: main: Cannot connect to 'db' at 127\.0\.0\.1:1 as 'me'/);
    assert(!found.stdout.includes("hush"));
  });
});

test("gets from '.env' by the command that 'init' prints what a shell would change: Node 22", async (made) => {
  const url = "sqlite:a$b&c.db";
  const tree = { "migrations/1.sql": "CREATE TABLE a (n INT);\n", ".env": `DATABASE_URL=${url}\n` };
  await within(tree, async ({ path }) => {
    await Deno.symlink(made.file("node_modules"), join(path, "node_modules"));
    const { stdout } = await run([...await node(22), BIN], path, ["--write"]);
    const [, ...args] = /which '(node .*) <command>' reads/.exec(stdout)?.[1]?.split(" ") ?? [];
    const [, ...next] = /Next: .* && (node .*)/.exec(stdout)?.[1]?.split(" ") ?? [];
    const adopted = await run(await node(22), path, next);
    assertEquals([adopted.code, adopted.stderr], [0, ""], stdout);
    const applied = await run(await node(22), path, [...args, "migrate"]);
    assertEquals([applied.code, applied.stderr], [0, ""], stdout);
    assert((await Deno.stat(join(path, "a$b&c.db"))).isFile);
  });
});

Deno.test("irori-migrate + runs from a checkout by the command of the README: Node 22", async () => {
  const [, shown = ""] = /`(npx [^`]*irori-migrate-0\.1\.0\.tgz)`/
    .exec(await Deno.readTextFile("README.md")) ?? [];
  const [executable = ""] = await node(22);
  await within({ "dist/.keep": "" }, async ({ path }) => {
    const checkout = await Deno.realPath(path);
    await buildMigrate(join(checkout, "dist"));
    const [start = "", ...args] = shown.replace("<checkout>", checkout).split(" ");
    const env = { PATH: `${dirname(executable)}:${Deno.env.get("PATH")}` };
    const { code, stdout, stderr } = await run([start], checkout, [...args, "--version"], env);
    assertEquals(code, 0, stderr);
    assertMatch(stdout, /^\d+\.\d+\.\d+\n$/);
  });
});

test("finds other peers of the project there, too: Node 22", async (made) => {
  const start = [...await node(22), made.file(BIN), "plan", "-m", "search"];
  const packages = await installed("peers", ["undici@8.12.4", "aws4fetch@1.0.20"]);
  await using double = startClusterDouble();
  const configuration = (more: string) =>
    `search:\n  - name: logs\n    hosts: [${double.url}]\n${more}` +
    "    migrations: { enabled: true }\n";
  const table = {
    undici: [configuration("    ssl_verification: false\n"), {}],
    aws4fetch: [configuration("    auth: { type: aws, region: eu-central-1 }\n"), {
      AWS_ACCESS_KEY_ID: "a",
      AWS_SECRET_ACCESS_KEY: "b",
    }],
  } as const;
  for (const [name, [text, env]] of Object.entries(table)) {
    await within({
      "config/application.yml": text,
      "migrations/logs/1-template.json": '{"index_patterns":["a"]}',
    }, async ({ path }) => {
      const without = await run(start, path, [], env);
      assertEquals(without.code, 2);
      assertStringIncludes(without.stderr, `Cannot find the package '${name}': install it with`);
      await Deno.symlink(join(packages, "node_modules"), join(path, "node_modules"));
      const found = await run(start, path, [], env);
      assertEquals(found.code, 0, found.stderr);
      assertStringIncludes(found.stdout, "logs: 1 to apply");
    });
  }
});

test("is imported by programs, whose types it has: Node 22", async (made) => {
  const program = fragmentOf("irori-migrate.md", "migrateSql()(await loadConfig())");
  await made.write("program.mjs", program);
  for (const [name, text] of Object.entries(CONFIGURED)) await made.write(name, text);
  const start = await node(22);
  const { code, stderr } = await run(start, made.path, ["program.mjs"]);
  assertEquals(code, 0, stderr);
  const status = await run(start, made.path, [BIN, "status", "--check"]);
  assertEquals([status.code, status.stderr], [0, ""]);
  await made.write(
    "types.ts",
    'import { type Migrate, migrateSearch } from "irori-migrate";\nexport const all: Migrate = migrateSearch();\n',
  );
  const typescript = await installed("typescript-5.7", ["typescript@5.7"]);
  const compiler = join(typescript, "node_modules/typescript/bin/tsc");
  const options = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2022"];
  const lib = ["--lib", "es2024,esnext.disposable,dom", "types.ts"];
  const checked = await run(start, made.path, [compiler, ...options, ...lib]);
  assertEquals([checked.code, checked.stdout], [0, ""]);
});
