/** The drivers of databases as users install them, on each runtime, against real servers with TLS. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { jobsSchema } from "../../src/features/jobs/tables.ts";
import { type Outcome, workspace } from "../e2e/command_line.ts";
import * as mysql from "../migrations/sql/mysql_support.ts";
import * as postgresql from "../migrations/sql/postgresql_support.ts";
import { builtBinary } from "./built_cli.ts";
import { bun, type Command, DENO, node } from "./executables.ts";
import { Project } from "./project.ts";

const BIN = "node_modules/irori/bin.js";
const built = (async () => { // One after the other: a build ends the bundler for all.
  const npm = await Project.fromTarball(
    ...["pg@8", "mysql2@3", "libpg-query@18"],
    ...["@electric-sql/pglite@0.5.8", "@electric-sql/pglite-tools@0.4.8"],
  );
  const bare = await Project.fromTarball();
  const empty = await Project.empty();
  return { npm, bare, empty, executable: await builtBinary(empty.path) };
})();

test("Node 22", async ({ npm }) => [...await node(22), npm.file(BIN)]);
test("Node 24", async ({ npm }) => [...await node(24), npm.file(BIN)]);
test("Bun", async ({ npm }) => [...await bun(), npm.file(BIN)]);
test("Deno", ({ npm }) => [...DENO, npm.file(BIN)]);
test("the executable", ({ executable }) => [executable]);

for (
  const [name, url] of [["pg", "postgres://u:p@127.0.0.1/db"], [
    "mysql2",
    "mysql://u:p@127.0.0.1/db",
  ]]
) {
  declare(
    `irori + asks for the driver '${name}' on Node, where it is not installed`,
    async ({ bare }) => {
      await using space = await workspace(tree(url!, "", "SELECT 1;"));
      const { code, stderr } = await run([...await node(24), bare.file(BIN)], space.path);
      assertEquals(code, 2);
      assertStringIncludes(stderr, `npm install ${name}`);
    },
  );
}

Deno.test.afterAll(async () => {
  await postgresql.cleanUp();
  await mysql.cleanUp();
  const { npm, bare, empty } = await built;
  for (const project of [npm, bare, empty]) await project[Symbol.asyncDispose]();
});

function test(
  name: string,
  command: (folders: Awaited<typeof built>) => Command | Promise<Command>,
): void {
  declare(`irori + ${name} migrates PostgreSQL`, async (folders) => {
    const { database } = await postgresql.create();
    await migrates(await command(folders), named("TEST_PG_URL", database), POSTGRESQL);
  }, postgresql.postgresqlMissing);
  declare(`irori + ${name} lints files of PostgreSQL`, async (folders) => {
    await using space = await workspace(tree("postgres://u:p@127.0.0.1/db", "", LOCKING));
    await space.write("migrations/main/2_jobs-schema.sql", (await jobsSchema())!);
    const { code, stderr } = await run(await command(folders), space.path, "validate");
    assertEquals(code, 0);
    // The executable has no grammar, and says so.
    const expected = name === "the executable"
      ? "by keywords only"
      : "main/1.sql:2:30: Changing the type";
    assertStringIncludes(stderr, expected);
    assertEquals(stderr.includes("jobs-schema"), false, stderr);
  });
  declare(`irori + ${name} migrates MariaDB`, async (folders) => {
    const { database } = await mysql.create();
    await migrates(await command(folders), named("TEST_MYSQL_URL", database), MYSQL);
  }, mysql.mysqlMissing);
  // The executable has no PGlite in it; on Deno it is tested from the sources.
  if (name !== "Node 24" && name !== "Bun") return;
  declare(`irori + ${name} migrates PGlite in a folder, and writes its schema`, async (folders) => {
    const files = tree("pglite:./db", "", POSTGRESQL);
    const config = files["config/application.yml"]!.replace("true }", "true, schema_file: s.sql }");
    await using space = await workspace({ ...files, "config/application.yml": config });
    const first = await run(await command(folders), space.path);
    assertEquals([first.code, first.stderr], [0, ""]);
    const schema = await Deno.readTextFile(`${space.path}/s.sql`);
    assertStringIncludes(schema, "CREATE TABLE public.users (");
  });
}

function declare(
  name: string,
  body: (folders: Awaited<typeof built>) => Promise<void>,
  missing?: string,
): void {
  // A build is shared, so it outlives the test that asked for it first.
  Deno.test({
    name,
    ignore: missing !== undefined,
    sanitizeOps: false,
    sanitizeResources: false,
    fn: async () => await body(await built),
  });
}

const LOCKING = "-- größer\nALTER TABLE users ADD a int, ALTER id TYPE bigint;";

const POSTGRESQL = `
CREATE TABLE users (id bigint PRIMARY KEY, name text);
CREATE FUNCTION greet(name text) RETURNS text LANGUAGE plpgsql AS $body$
BEGIN
  RETURN 'Hello; ' || name;
END
$body$;
INSERT INTO users VALUES (9007199254740993, greet('Ada'));
`;

const MYSQL = `
CREATE TABLE users (id BIGINT PRIMARY KEY, name TEXT);
DELIMITER //
CREATE PROCEDURE add_user(name TEXT)
BEGIN
  INSERT INTO users VALUES (9007199254740993, name);
END//
DELIMITER ;
CALL add_user('Hello; Ada');
`;

async function migrates(command: Command, url: string, script: string): Promise<void> {
  await using space = await workspace(
    tree(url, `ssl: { ca: ${Deno.env.get("TEST_TLS_CA")} }`, script),
  );
  const first = await run(command, space.path);
  assertEquals([first.code, first.stderr], [0, ""]);
  assertMatch(first.stdout, /1 file, 1 pending/);
  const second = await run(command, space.path);
  assertEquals([second.code, second.stderr], [0, ""]);
  assertStringIncludes(second.stdout, "up to date, 1 unchanged");

  await space.write("migrations/main/2.sql", "INSERT INTO users VALUES (1, 'Bob');\nSELEKT 1;\n");
  const failed = await run(command, space.path);
  assertEquals(failed.code, 8);
  assertMatch(failed.stderr, /^error: main\/2\.sql:2:\d+: /);
}

function named(variable: string, database: string): string {
  const url = new URL(Deno.env.get(variable) ?? "");
  url.pathname = `/${database}`;
  return url.href;
}

function tree(url: string, more: string, script: string): Record<string, string> {
  return {
    "config/application.yml": `
datasource:
  - name: main
    url: ${url}
    migrations: { enabled: true }
    ${more}
`,
    "migrations/main/1.sql": script,
  };
}

async function run(
  [command = "", ...rest]: Command,
  path: string,
  ...named: string[]
): Promise<Outcome> {
  const { code, stdout, stderr } = await new Deno.Command(command, {
    args: [...rest, ...named, "-c", `${path}/config`, "--sqlPath", `${path}/migrations`],
    cwd: path,
    env: { NO_COLOR: "1" },
    stdin: "null",
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: text(stdout), stderr: text(stderr) };
}
