import { errorOf } from "../../text/mod.ts";
import type { Datasource } from "../../migrations/sql/connect/datasource.ts";
import { failOf } from "../../migrations/sql/failure.ts";
import type { SqlEnvironment } from "../../migrations/sql/types.ts";
import { inSqlite } from "./dumps.ts";
import { type SchemaEngine, SchemaError } from "./engine.ts";

/** Gives an empty database of MySQL the character set and collation of the live one. */
export async function takeCollation(
  live: Datasource,
  empty: Datasource,
  environment: SqlEnvironment,
): Promise<void> {
  const asked = "SELECT @@character_set_database AS charset, @@collation_database AS collation";
  const [{ charset, collation } = {}] = await askMysql(live, asked, environment)
    .catch(failOf(live.name));
  const wanted = `CHARACTER SET ${charset} COLLATE ${collation}`;
  await askMysql(empty, `ALTER DATABASE ${wanted}`, environment).catch((error) => {
    throw new SchemaError(
      `The database that '--url' names cannot take the collation of '${live.name}': create it with '${wanted}' ` +
        `(${errorOf(error).message})`,
    );
  });
}

async function askMysql(datasource: Datasource, sql: string, environment: SqlEnvironment) {
  const { connectMysql } = await import("../../migrations/sql/engines/mysql/driver.ts");
  const connection = await connectMysql(datasource, environment);
  const asked = connection.execute({ sql, values: [] });
  return (await asked.finally(() => connection.close())).rows;
}

type IsEmpty = SchemaEngine["isEmpty"];

export const isEmptySqlite: IsEmpty = (datasource, environment) =>
  inSqlite(datasource, environment, true, (connection) => {
    const query = { sql: "SELECT 1 FROM sqlite_schema LIMIT 1", values: [] };
    return connection.all(query).rows.length === 0;
  });

export const isEmptyMysql: IsEmpty = async (datasource, environment) => {
  return (await askMysql(datasource, ANY_OF_MYSQL, environment)).length === 0;
};

export const isEmptyPostgresql: IsEmpty = async (datasource, environment) => {
  const { connectPostgresql } = await import("../../migrations/sql/engines/postgresql/driver.ts");
  const connection = await connectPostgresql(datasource, environment);
  const tables = await connection.send(ANY_OF_POSTGRESQL).finally(() => connection.close());
  return tables.at(-1)?.rows.length === 0;
};

const ANY_OF_MYSQL =
  "SELECT 1 FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() UNION ALL " +
  "SELECT 1 FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = DATABASE() UNION ALL " +
  "SELECT 1 FROM information_schema.EVENTS WHERE EVENT_SCHEMA = DATABASE() LIMIT 1";

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
