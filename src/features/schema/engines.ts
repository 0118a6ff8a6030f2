import { classifyAll, InvalidFilesError, type MigrationFile } from "../../migrations/runner/mod.ts";
import { errorOf } from "../../text/mod.ts";
import type { Datasource } from "../../migrations/sql/connect/datasource.ts";
import { failOf } from "../../migrations/sql/failure.ts";
import { ask, dumpMysql, dumpPostgresql, dumpSqlite } from "./dumps.ts";
import { type Comparing, type SchemaEngine, SchemaError, type Source } from "./engine.ts";

/** Each as it was written, or as the engine writes what the files give. */
export async function plainTexts(
  [one, other]: readonly [Source, Source],
  { applied, dump }: Comparing,
): Promise<readonly [string, string]> {
  const read = (source: Source) => "text" in source ? source.text : applied(source.files, dump);
  return [await read(one), await read(other)];
}

/** Objects that extensions or other objects bring along do not count: indexes, types of rows and of arrays. */
const ANY_OF_POSTGRESQL = [
  ["pg_class", "rel", "o.relkind IN ('r', 'p', 'v', 'm', 'S', 'f')"],
  ["pg_proc", "pro", "true"],
  [
    ...["pg_type", "typ"],
    "o.typtype IN ('d', 'e', 'r') OR o.typtype = 'b' AND o.typcategory <> 'A' OR " +
    "EXISTS (SELECT FROM pg_class c WHERE c.oid = o.typrelid AND c.relkind = 'c')",
  ],
].map(([table, prefix, which]) =>
  `SELECT 1 FROM ${table} o JOIN pg_namespace n ON n.oid = o.${prefix}namespace ` +
  `WHERE (${which}) AND n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%' AND NOT EXISTS ` +
  `(SELECT FROM pg_depend d WHERE d.classid = '${table}'::regclass AND d.objid = o.oid ` +
  "AND d.deptype IN ('e', 'i'))"
).join(" UNION ALL ") + " LIMIT 1";

const POSTGRESQL: SchemaEngine = {
  dump: dumpPostgresql,
  anything: ANY_OF_POSTGRESQL,
  inProcess: async (...given) => await (await import("./pglite.ts")).inNewPglite(...given),
  texts: async (...given) => await (await import("./pglite.ts")).textsOfPglite(...given),
};

const SQLITE: SchemaEngine = {
  texts: plainTexts,
  dump: dumpSqlite,
  anything: "SELECT 1 FROM sqlite_schema LIMIT 1",
  async inProcess(datasource, files, _, work) {
    const { loadOpener } = await import("../../migrations/sql/engines/sqlite/driver.ts");
    await refuseOtherFiles(datasource, files);
    const database = (await loadOpener())(":memory:");
    const own = { ...datasource, engine: "sqlite", database: ":memory:" };
    return await work(own, database).finally(() => database.close());
  },
};

export const SCHEMAS: Readonly<Record<string, SchemaEngine>> = {
  postgresql: POSTGRESQL,
  pglite: {
    ...POSTGRESQL,
    async dump(datasource, environment) {
      const { dumpPglite } = await import("./pglite.ts");
      const { withPglite } = await import("../../migrations/sql/engines/pglite/database.ts");
      return await withPglite(datasource, environment, dumpPglite).catch(failOf(datasource.name));
    },
  },
  mysql: {
    texts: plainTexts,
    dump: dumpMysql,
    anything: "SELECT 1 FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() UNION ALL " +
      "SELECT 1 FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = DATABASE() UNION ALL " +
      "SELECT 1 FROM information_schema.EVENTS WHERE EVENT_SCHEMA = DATABASE() LIMIT 1",
    async imitate(live, empty, environment) {
      const asked = "SELECT @@character_set_database AS charset, @@collation_database AS collation";
      const [{ charset, collation } = {}] = await ask(live, environment, asked)
        .catch(failOf(live.name));
      const wanted = `CHARACTER SET ${charset} COLLATE ${collation}`;
      await ask(empty, environment, `ALTER DATABASE ${wanted}`).catch((error) => {
        throw new SchemaError(
          `The database that '--url' names cannot take the collation of '${live.name}': create it with '${wanted}' ` +
            `(${errorOf(error).message})`,
        );
      });
    },
    inProcess({ name }) {
      throw new SchemaError(
        "The files can only be applied to a server of MySQL or MariaDB: pass the URL of an empty database for " +
          `'${name}' as '--url'`,
      );
    },
  },
  d1: SQLITE,
  sqlite: SQLITE,
};

/** A file that attaches another database, or writes one, would do so here too. */
async function refuseOtherFiles(
  datasource: Datasource,
  files: readonly MigrationFile[],
): Promise<void> {
  const { classifierOf } = await import("../../migrations/sql/execute/classifier.ts");
  const { migrations, problems } = await classifyAll(await classifierOf(datasource), files);
  if (problems.length > 0) throw new InvalidFilesError(problems, datasource.name);
  for (const { file, statements } of migrations) {
    const found = statements.find(({ words: [first, ...rest] }) =>
      first === "ATTACH" || (first === "VACUUM" && rest.includes("INTO"))
    );
    if (found === undefined) continue;
    throw new SchemaError(
      `'${datasource.name}/${file.path}' uses another database file with ${found.words[0]}: ` +
        "this is not possible in memory, so name an empty database with '--url'",
    );
  }
}
