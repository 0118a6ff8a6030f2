/** `irori types` as a user has it; what the types say is tested with databases and clusters. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import { type Workspace, workspace } from "../../e2e/command_line.ts";

const USERS = "CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL);\n";

async function project(files: Record<string, string> = {}, migrations: object = {}) {
  const datasource = [{
    name: "main",
    url: "sqlite:./app.db",
    migrations: { enabled: true, ...migrations },
  }];
  return await workspace({
    "config/application.yml": JSON.stringify({ datasource }),
    "migrations/main/1.sql": USERS,
    ...files,
  });
}

const lines = (space: Workspace, ...args: string[]) =>
  space.run("types", ...args).then(({ code, stdout, stderr }) => [code, stdout + stderr]);

Deno.test("types + --out and --check: the file is written, and stale after a change", async () => {
  await using space = await project();
  const out = `${space.path}/src/made/database.ts`;
  assertEquals(await lines(space, "--out", out, "--check"), [
    4,
    `${out}: 1 table, stale: 'irori types --out' writes it\n`,
  ]);
  assertEquals(await lines(space, "--out", out), [0, `${out}: 1 table, written\n`]);
  const { stdout } = await space.run("types");
  assertEquals(await Deno.readTextFile(out), stdout);
  // Line ends are those of the checkout.
  await Deno.writeTextFile(out, stdout.replaceAll("\n", "\r\n"));
  assertEquals(await lines(space, "--out", out, "--check"), [0, `${out}: 1 table, up to date\n`]);
  await space.write("migrations/main/2.sql", "ALTER TABLE users ADD COLUMN age INT;");
  const stale = await space.run("types", "--out", out, "--check", "--json");
  assertEquals([stale.code, JSON.parse(stale.stdout)], [
    4,
    { connection: "main", file: out, stale: true },
  ]);
  // None of it has touched the database of the configuration.
  assert(!await Deno.stat(`${space.path}/app.db`).then(() => true, () => false));
  const printed = JSON.parse((await space.run("types", "--json")).stdout);
  assertEquals(printed.connection, "main");
  assertStringIncludes(printed.types, "  age: number | null;\n");
});

Deno.test("types + --out: a file that the command has not written is kept", async () => {
  await using space = await project();
  const out = `${space.path}/database.ts`;
  const refused = `error: '${out}' does not begin with "// Written by 'irori types'": ` +
    "delete it, or name another file\n";
  for (const text of ["export const mine = 1;\n", "// Written by 'irori contract'.\n"]) {
    await Deno.writeTextFile(out, text);
    assertEquals(await lines(space, "--out", out), [2, refused]);
    assertEquals(await lines(space, "--out", out, "--check"), [2, refused]);
    assertEquals(await Deno.readTextFile(out), text);
  }
  await Deno.writeTextFile(out, "\n");
  assertEquals(await lines(space, "--out", out), [0, `${out}: 1 table, written\n`]);
});

Deno.test("types + --out: a pipe is written to, a folder is an error", async () => {
  await using space = await project();
  const link = `${space.path}/stdout`;
  await Deno.symlink("/dev/stdout", link);
  const { stdout } = await space.run("types");
  const piped = await space.runStarted("types", "--out", link);
  assertEquals([piped.code, piped.stdout], [0, `${stdout}${link}: 1 table, written\n`]);
  const [code, text] = await lines(space, "--out", space.path);
  assert(code !== 0);
  assertMatch(`${text}`, /^error: Cannot write '.*': .*\n$/);
});

Deno.test("types + --live: the database as it is, without histories and ignored tables", async () => {
  await using space = await project({}, { drift_ignore: ["audit_*"] });
  assertEquals(await lines(space, "--live"), [
    7,
    "error: The database file does not exist\n",
  ]);
  assertEquals((await space.run()).code, 0);
  const expected = await lines(space);
  const database = new DatabaseSync(`${space.path}/app.db`);
  database.exec(
    "CREATE TABLE audit_log (x INT); CREATE TABLE knex_migrations_lock (is_locked INT);" +
      "CREATE TABLE kysely_migration (name TEXT, timestamp TEXT);" +
      "CREATE TABLE schema_migrations (version TEXT);" +
      "CREATE TABLE __drizzle_migrations (id SERIAL, hash text NOT NULL, created_at numeric)",
  );
  assertEquals(await lines(space, "--live"), expected);
  database.exec("ALTER TABLE users ADD COLUMN by_hand");
  database.close();
  assertStringIncludes(`${await lines(space, "--live")}`, "by_hand: unknown;");
});

Deno.test("types + mistakes: each is named, without a stack trace", async () => {
  await using space = await project();
  const refused = [
    [["--check"], "'--check' requires '--out'"],
    [["--live", "--url", "sqlite:./x.db"], "Expected '--url' or '--live', found both"],
    [["--live", "-m", "search"], "'--url' and '--live' are for databases"],
    [["-m", "search"], "Expected '--connection' to select one connection: none is enabled"],
  ] as const;
  for (const [args, message] of refused) {
    const { code, stdout, stderr } = await space.run("types", ...args);
    assertEquals([code, stdout], [2, ""]);
    assertStringIncludes(stderr, `error: ${message}`);
  }
  await space.write("migrations/main/2.sql", "CREATE TABLE users (id INT);");
  const failed = await space.run("types");
  assertEquals(failed.code, 8);
  assertStringIncludes(failed.stderr, "error: main/2.sql:1");
  const two = [1, 2].map((n) => ({
    name: `db${n}`,
    url: "mysql://h/d",
    migrations: { enabled: true },
  }));
  await space.write("config/application.yml", JSON.stringify({ datasource: two }));
  assertStringIncludes(`${await lines(space)}`, "select one connection: 'db1', 'db2'");
  await space.write("migrations/db1/1.sql", USERS);
  assertEquals(await lines(space, "--connection", "db1"), [
    2,
    "error: The files can only be applied to a server of MySQL or MariaDB: pass the URL of an empty database " +
    "for 'db1' as '--url'\n",
  ]);
});

Deno.test("types + a secret in a file: the module contains its placeholder", async () => {
  await using space = await project({
    "migrations/main/1.sql": 'CREATE TABLE users ("is ${api_token}" INT);',
  }, { placeholders: { api_token: "hunter2hunter2" } });
  const [code, text] = await lines(space);
  assertEquals(code, 0);
  assertStringIncludes(`${text}`, '"is ${api_token}": number | null;');
});

/** The blocks of a language on the page. */
async function blocksOf(language: string): Promise<readonly string[]> {
  const page = await Deno.readTextFile(new URL("../../../docs/guide/types.md", import.meta.url));
  const fence = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms");
  return [...page.matchAll(fence)].map(([, code = ""]) => code);
}

Deno.test("types + the guide: its mapping gives its type", async () => {
  const [, documents] = await blocksOf("ts");
  await using space = await workspace({
    "config/application.yml": JSON.stringify({
      search: { name: "shop", hosts: ["http://127.0.0.1:1"], migrations: { enabled: true } },
    }),
    "migrations/shop/01-indices/orders.json": (await blocksOf("json"))[0]!,
  });
  const [code, text] = await lines(space, "-m", "search");
  assertEquals(code, 0);
  assertStringIncludes(`${text}`, documents!);
});

Deno.test("types + the guide: PGlite gives the rows of its table", async () => {
  await using space = await workspace({
    "config/application.yml": JSON.stringify({
      datasource: { name: "shop", url: "postgres://127.0.0.1:1/d", migrations: { enabled: true } },
    }),
    "migrations/shop/1.sql": (await blocksOf("sql"))[0]!,
  });
  const [code, text] = await lines(space);
  assertEquals(code, 0);
  assertStringIncludes(`${text}`, (await blocksOf("ts"))[0]!);
});
