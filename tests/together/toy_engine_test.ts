import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { ConfigError } from "../../src/config/mod.ts";
import { Snapshots } from "../../src/features/schema/snapshots.ts";
import { serverOf } from "../../src/features/tenants/servers.ts";
import { databaseForTest } from "../../src/features/test_databases/test_database.ts";
import { rowTypes } from "../../src/features/types/rows/module.ts";
import { previewRun } from "../../src/migrations/runner/mod.ts";
import { ENGINES } from "../../src/migrations/sql/engines/table.ts";
import { withLint } from "../features/lint/support.ts";
import { create } from "../migrations/sql/sqlite_support.ts";
import { environment, inSession } from "../migrations/sql/support.ts";
import { toy, toyServer } from "../migrations/sql/toy_engine/engine.ts";

Object.assign(ENGINES, { toy, toyserver: toyServer });

const createToy: typeof create = (options) => create({ kind: "toy", ...options });

Deno.test("features without an entry for an engine say so", async () => {
  const datasource = await createToy();
  const given = environment();
  const runtime = { ...given, files: {}, execute: () => {} } as never;
  await assertRejects(
    () => new Snapshots(datasource, runtime).current(),
    ConfigError,
    "'schema' does not support Toy: it supports PostgreSQL, PGlite, MySQL or MariaDB, Cloudflare D1, SQLite",
  );
  await assertRejects(
    () => rowTypes(datasource, undefined, given),
    ConfigError,
    "'types' does not support Toy: it supports SQLite, Cloudflare D1, PostgreSQL, PGlite, MySQL or MariaDB",
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
    "'lint' does not support Toy: it supports PostgreSQL, MySQL or MariaDB, SQLite, Cloudflare D1",
  ]);
  const demanded = withLint(await createToy(), "error");
  await assertRejects(() => inSession(demanded, previewRun, tree), ConfigError, "'lint' does not");
});

async function rootWith(url: string): Promise<string> {
  const root = await Deno.makeTempDir({ prefix: "irori-toy-" });
  await Deno.mkdir(`${root}/config`);
  const text = `datasource:\n  name: main\n  url: ${url}\n  migrations:\n    enabled: true\n`;
  await Deno.writeTextFile(`${root}/config/application.yml`, text);
  return root;
}
