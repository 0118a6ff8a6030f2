/** Checks that a user has asked for, where what they need is absent: none of them passes. */
import { assertEquals, assertMatch } from "@std/assert";
import { type Outcome, workspace } from "../e2e/command_line.ts";
import * as postgresql from "../migrations/sql/postgresql_support.ts";
import { type Command, node } from "./executables.ts";
import { Project } from "./project.ts";

/** With no package but the driver. */
const project = Project.fromTarball("pg@8");
const LOCKING = "CREATE TABLE a (b int);\n-- later\nALTER TABLE orders ALTER id TYPE bigint;\n";

Deno.test.afterAll(async () => {
  await postgresql.cleanUp();
  await (await project)[Symbol.asyncDispose]();
});

const GRAMMAR =
  /^error: .*Cannot lint the files without the PostgreSQL grammar, as 'lint: error' demands: .*'npm install libpg-query@/m;
const PGLITE = /^error: .*'npm install @electric-sql\/pglite@\S+'$/m;
const DUMPED =
  /^error: .*'npm install @electric-sql\/pglite@\S+ @electric-sql\/pglite-tools@\S+'$/m;

const OFFLINE: readonly (readonly [args: string, settings: string, expected: RegExp])[] = [
  ["validate", "lint: error", GRAMMAR],
  ["validate --format sarif", "lint: error", GRAMMAR],
  ["schema --check", "schema_file: schema.sql", DUMPED],
  ["types", "enabled: true", PGLITE],
  ["types --check --out rows.ts", "enabled: true", PGLITE],
  ["contract --against absent.json", "enabled: true", /^error: .*absent\.json/m],
  ["build main.ts --out out.js", "enabled: true", /^error: .*'npm install esbuild@/m],
];

for (const [args, settings, expected] of OFFLINE) {
  test(`${args} with '${settings}' ends with 2`, async (irori) => {
    const { code, stderr } = await irori(args.split(" "), "postgres://u:p@127.0.0.1/db", settings);
    assertMatch(stderr, expected);
    assertEquals(code, 2);
  });
}

test("validate with 'lint: warn' goes on by keywords, with a notice", async (irori) => {
  const { code, stderr } = await irori(["validate"], "postgres://u:p@127.0.0.1/db", "lint: warn");
  assertMatch(
    stderr,
    /^notice: main: Files are linted by keywords only, .*npm install libpg-query@/m,
  );
  assertEquals(code, 0);
});

for (const command of ["plan", "migrate"]) {
  test(
    `${command} with 'lint: error' ends with 2 and applies nothing (PostgreSQL)`,
    async (irori) => {
      const { url, query } = await database();
      const { code, stderr } = await irori([command], url, "lint: error");
      assertMatch(stderr, GRAMMAR);
      assertEquals([code, await query()], [2, []]);
    },
    postgresql.postgresqlMissing,
  );
}

test("schema and drift without pg_dump end with 2 (PostgreSQL)", async (irori) => {
  const { url } = await database();
  const sql = "CREATE TABLE a (b int);\n";
  assertEquals((await irori(["migrate"], url, "lint: off", sql)).code, 0);
  const drift = await irori(["drift"], url, "lint: off", sql);
  assertMatch(drift.stderr, /^error: .*'pg_dump'/m);
  const schema = await irori(["schema"], url, "lint: off", sql);
  assertMatch(schema.stderr, /^error: .*'pg_dump'/m);
  assertEquals([drift.code, schema.code], [2, 2]);
}, postgresql.postgresqlMissing);

type Irori = (
  args: readonly string[],
  url: string,
  settings: string,
  sql?: string,
) => Promise<Outcome>;

function test(name: string, fn: (irori: Irori) => Promise<void>, missing?: string): void {
  Deno.test({
    name: `irori without a package + ${name}`,
    ignore: missing !== undefined,
    sanitizeOps: false,
    sanitizeResources: false,
    async fn() {
      const made = await project;
      const bin: Command = [...await node(24), made.file("node_modules/irori/bin.js")];
      await fn(async (args, url, settings, sql = LOCKING) => {
        const ca = Deno.env.get("TEST_TLS_CA");
        await using space = await workspace({
          "config/application.yml": `component-scan: src
datasource:
  - name: main
    url: ${url}
    ssl: ${ca ? `{ ca: ${ca} }` : "false"}
    migrations: { enabled: true, ${settings.replace("enabled: true", "")} }
`,
          "migrations/main/1.sql": sql,
          "schema.sql": "CREATE TABLE a (b int);\n",
          "main.ts": "export {};\n",
          "src/none.ts": "export {};\n",
        });
        const [command = "", ...before] = bin;
        const { code, stdout, stderr } = await new Deno.Command(command, {
          args: [...before, ...args],
          cwd: space.path,
          env: { PATH: "/nonexistent", NO_COLOR: "1" },
          stdin: "null",
        }).output();
        const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
        return { code, stdout: text(stdout), stderr: text(stderr) };
      });
    },
  });
}

async function database(): Promise<{ url: string; query: () => Promise<readonly unknown[]> }> {
  const { database } = await postgresql.create();
  const url = new URL(Deno.env.get("TEST_PG_URL")!);
  url.pathname = `/${database}`;
  const { default: { Client } } = await import("pg");
  return {
    url: url.href,
    async query() {
      const client = new Client({ connectionString: url.href, ssl: { rejectUnauthorized: false } });
      await client.connect();
      const { rows } = await client.query(
        "SELECT 1 FROM pg_tables WHERE tablename IN ('a', 'orders')",
      );
      await client.end();
      return rows;
    },
  };
}
