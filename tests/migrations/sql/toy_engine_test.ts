import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { ConfigError, createConfig } from "../../../src/config/mod.ts";
import { engineOf, ENGINES } from "../../../src/migrations/sql/engines/table.ts";
import { addressesOf, readDatasources } from "../../../src/migrations/sql/mod.ts";
import { testSqlDialect } from "../../contracts/sql_dialect.ts";
import { SQLITE } from "./dialects.ts";
import { create } from "./sqlite_support.ts";
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
