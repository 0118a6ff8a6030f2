/** PostgreSQL within the process, in a folder. */
import { PGlite } from "npm:@electric-sql/pglite@0.5.8";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { ConfigError, createConfig } from "../../../src/config/mod.ts";
import { ConnectionError, InvalidFilesError } from "../../../src/migrations/runner/mod.ts";
import { type Datasource, readDatasources } from "../../../src/migrations/sql/mod.ts";
import { spawnRun } from "./process_child.ts";
import { failing, migrated, outcomes } from "./support.ts";

const folder = Deno.makeTempDirSync({ prefix: "irori-pglite-" });
globalThis.addEventListener("unload", () => Deno.removeSync(folder, { recursive: true }));
let databases = 0;

function create(url = `pglite:${folder}/${++databases}`): Datasource {
  const section = { name: "main", url, migrations: { enabled: true } };
  return readDatasources(createConfig({ datasource: [section] }, { root: folder }))[0]!;
}

async function query({ database }: Datasource, sql: string): Promise<unknown[]> {
  await using db = await PGlite.create(database);
  return (await db.query(sql)).rows;
}

const ROWS = 20_000;
const TREE = {
  "1.sql": "CREATE TABLE a (id INT);",
  "2.sql": `INSERT INTO a SELECT generate_series(1, ${ROWS});`,
  // Says that it has begun by a file in the folder of the data, and does not end.
  "3.sql": "INSERT INTO a VALUES (0); DO $$ BEGIN EXECUTE format('COPY (SELECT 1) TO %L', " +
    "current_setting('data_directory') || '/irori-marker'); LOOP END LOOP; END $$;",
};

Deno.test("PGlite: a folder is migrated, and two processes at once apply each file once", async () => {
  const datasource = create();
  const tree = { "1.sql": TREE["1.sql"], "2.sql": TREE["2.sql"] };
  for (const child of [1, 2].map(() => spawnRun(datasource, tree))) {
    const { success, stderr } = await child.output();
    assert(success, new TextDecoder().decode(stderr));
  }
  assertEquals(await query(datasource, "SELECT count(*)::int AS n FROM a"), [{ n: ROWS }]);
  assertEquals(outcomes(await migrated(datasource, tree)), ["1.sql skipped", "2.sql skipped"]);
});

Deno.test("PGlite: a run that is killed in a file leaves those before it, and the next goes on", async () => {
  const datasource = create();
  const child = spawnRun(datasource, TREE);
  const marker = `${datasource.database}/irori-marker`;
  while (!(await Deno.stat(marker).catch(() => undefined))) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  child.kill("SIGKILL");
  await child.status;
  await child.stderr.cancel();
  const repaired = { ...TREE, "3.sql": "INSERT INTO a VALUES (0);" };
  assertEquals(outcomes(await migrated(datasource, repaired)), [
    ...["1.sql skipped", "2.sql skipped", "3.sql applied"],
  ]);
  assertEquals(await query(datasource, "SELECT count(*)::int AS n FROM a"), [{ n: ROWS + 1 }]);
});

Deno.test("PGlite: COPY FROM STDIN is refused before anything runs", async () => {
  const tree = { "1.sql": "CREATE TABLE a (id INT);\nCOPY a FROM stdin;" };
  const error = await failing(InvalidFilesError, create(), tree);
  assertStringIncludes(error.message, "COPY … FROM STDIN needs a client");
});

Deno.test("PGlite: one in memory is refused where it would be lost at once", async () => {
  const error = await failing(ConnectionError, create("pglite::memory:"), { "1.sql": "SELECT 1" });
  assertStringIncludes(error.message, "Cannot migrate 'pglite::memory:'");
});

Deno.test("PGlite: a missing folder around it is named", async () => {
  const error = await failing(ConnectionError, create("pglite:./nowhere/db"), { "1.sql": "" });
  assertStringIncludes(error.message, `there is no folder '${folder}/nowhere'`);
});

Deno.test("PGlite takes no settings that it would not keep", async () => {
  for (
    const [settings, message] of [
      [{ statement_timeout: 5 }, "PGlite has no statement timeout"],
      [{ ssl: true }, "PGlite has no connection to encrypt"],
    ] as const
  ) {
    const section = { name: "main", url: "pglite:./db", ...settings };
    const read = () =>
      Promise.resolve().then(() => readDatasources(createConfig({ datasource: [section] })));
    const error = await assertRejects(read, ConfigError);
    assertStringIncludes(error.message, message);
  }
});
