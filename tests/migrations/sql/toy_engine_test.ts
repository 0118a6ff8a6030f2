import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { ConfigError, createConfig } from "../../../src/config/mod.ts";
import { schemaOf } from "../../../src/features/schema/snapshots.ts";
import { serverOf } from "../../../src/features/tenants/servers.ts";
import { databaseForTest } from "../../../src/features/test_databases/test_database.ts";
import { rowTypes } from "../../../src/features/types/rows/module.ts";
import { previewRun } from "../../../src/migrations/runner/mod.ts";
import { engineOf, ENGINES } from "../../../src/migrations/sql/engines/table.ts";
import { addressesOf, readDatasources } from "../../../src/migrations/sql/mod.ts";
import { testSqlDialect } from "../../contracts/sql_dialect.ts";
import { withLint } from "../../features/lint/support.ts";
import { SQLITE } from "./dialects.ts";
import { create } from "./sqlite_support.ts";
import { environment, inSession } from "./support.ts";
import { toy, toyServer } from "./toy_engine/engine.ts";

// The one line of an engine.
Object.assign(ENGINES, { toy, toyserver: toyServer });

const createToy: typeof create = (options) => create({ kind: "toy", ...options });

testSqlDialect({ ...SQLITE, name: "Toy", create: createToy });

Deno.test("an engine is found by its URLs, by connections of applications and in errors", async () => {
  const read = (datasource: Record<string, string | number>) =>
    readDatasources(
      createConfig({ datasource: { name: "main", ...datasource } }, { root: "/app" }),
    );
  const [found] = read({ url: "toy:data/box.toy" });
  assertEquals([found?.kind, found?.database, found?.port], ["toy", "/app/data/box.toy", 0]);
  const [server] = read({ url: "toyserver://me@h/shop" });
  assertEquals([server?.kind, server?.host, server?.port], ["toyserver", "h", 4711]);
  const error = assertThrows(() => read({ url: "oracle://h/db" }), ConfigError);
  assertStringIncludes(error.message, "'toy:', 'toyserver://'");
  assertThrows(
    () => read({ url: "toy:a", statement_timeout: 5 }),
    ConfigError,
    "Toy has no statement timeout",
  );
  const used = await addressesOf({ main: { play: () => {}, box: "box.toy" } }, "/app");
  assertEquals(used.main?.database, "/app/box.toy");
  await assertRejects(() => addressesOf({ main: {} }, "/app"), ConfigError, "a ToyBox");
});

Deno.test("an unknown engine is an error that lists those there are", () => {
  assertThrows(
    () => engineOf({ kind: "oracle" }),
    ConfigError,
    "Irori does not support 'oracle': it supports SQLite, PostgreSQL, PGlite, MySQL or MariaDB",
  );
});

Deno.test("features without an entry for an engine say so", async () => {
  const datasource = await createToy();
  const given = environment();
  const runtime = { ...given, files: {}, execute: () => {} } as never;
  await assertRejects(
    () => schemaOf(datasource, runtime),
    ConfigError,
    "'schema' does not support Toy: it supports PostgreSQL, PGlite, MySQL or MariaDB, SQLite",
  );
  await assertRejects(
    () => rowTypes(datasource, undefined, given),
    ConfigError,
    "'types' does not support Toy: it supports SQLite, PostgreSQL, PGlite, MySQL or MariaDB",
  );
  assertEquals(serverOf(datasource), undefined, "its tenants are files");
  assertThrows(
    () => serverOf({ ...datasource, kind: "toyserver" }),
    ConfigError,
    "'migrations.each' does not support Toy Server: it supports PostgreSQL",
  );
  await assertRejects(
    async () => await databaseForTest({ url: "toy:a.toy", root: await rootWith("toy:a.toy") }),
    TypeError,
    "expected the 'url' of a server, found toy",
  );
});

Deno.test("files of an engine without an entry are not linted: a notice, and an error where lint is demanded", async () => {
  const notices: string[] = [];
  const options = { onNotice: (message: string) => notices.push(message) };
  const tree = { "1.sql": "CREATE TABLE a (id INT)" };
  await inSession(withLint(await createToy()), previewRun, tree, options);
  assertEquals(notices, [
    "'lint' does not support Toy: it supports PostgreSQL, MySQL or MariaDB, SQLite",
  ]);
  const demanded = withLint(await createToy(), "error");
  await assertRejects(() => inSession(demanded, previewRun, tree), ConfigError, "'lint' does not");
});

Deno.test("nothing outside of 'engines' compares with the name of an engine", async () => {
  const names = [...Object.keys(ENGINES), "mariadb", "libsql", "d1"].join("|");
  const comparison = new RegExp(`(?:[!=]==|case) "(?:${names})"|"(?:${names})" [!=]==`);
  const found: string[] = [];
  for await (const path of sources("src")) {
    if (path.startsWith("src/migrations/sql/engines/")) continue;
    const lines = (await Deno.readTextFile(path)).split("\n");
    found.push(...lines.filter((line) => comparison.test(line)).map((line) => `${path}: ${line}`));
  }
  assertEquals(found, []);
});

async function* sources(folder: string): AsyncIterable<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) yield* sources(path);
    else if (name.endsWith(".ts")) yield path;
  }
}

async function rootWith(url: string): Promise<string> {
  const root = await Deno.makeTempDir({ prefix: "irori-toy-" });
  await Deno.mkdir(`${root}/config`);
  const text = `datasource:\n  name: main\n  url: ${url}\n  migrations:\n    enabled: true\n`;
  await Deno.writeTextFile(`${root}/config/application.yml`, text);
  return root;
}
