import { classifyAll, InvalidFilesError, type MigrationFile } from "../../migrations/runner/mod.ts";
import type { Datasource } from "../../migrations/sql/connect/datasource.ts";
import { failOf } from "../../migrations/sql/failure.ts";
import { dumpMysql, dumpPostgresql, dumpSqlite } from "./dumps.ts";
import { type Comparing, type SchemaEngine, SchemaError, type Source } from "./engine.ts";
import { ANY_OF_MYSQL, ANY_OF_POSTGRESQL, ANY_OF_SQLITE, takeCollation } from "./empty.ts";

/** Each as it was written, or as the engine writes what the files give. */
export async function plainTexts(
  [one, other]: readonly [Source, Source],
  { applied, dump }: Comparing,
): Promise<readonly [string, string]> {
  const textOf = (source: Source) => "text" in source ? source.text : applied(source.files, dump);
  return [await textOf(one), await textOf(other)];
}

const POSTGRESQL: SchemaEngine = {
  dump: dumpPostgresql,
  anything: ANY_OF_POSTGRESQL,
  async inProcess(...given) {
    return await (await import("./pglite.ts")).inNewPglite(...given);
  },
  async texts(...given) {
    return await (await import("./pglite.ts")).textsOfPglite(...given);
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
    anything: ANY_OF_MYSQL,
    imitate: takeCollation,
    inProcess({ name }) {
      throw new SchemaError(
        "The files can only be applied to a server of MySQL or MariaDB: pass the URL of an empty database for " +
          `'${name}' as '--url'`,
      );
    },
  },
  sqlite: {
    texts: plainTexts,
    dump: dumpSqlite,
    anything: ANY_OF_SQLITE,
    async inProcess(datasource, files, _, work) {
      const { loadOpener } = await import("../../migrations/sql/engines/sqlite/driver.ts");
      await refuseOtherFiles(datasource, files);
      const database = (await loadOpener())(":memory:");
      const own = { ...datasource, database: ":memory:" };
      return await work(own, database).finally(() => database.close());
    },
  },
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
