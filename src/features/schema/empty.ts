import { errorOf } from "../../text/mod.ts";
import type { Datasource } from "../../migrations/sql/connect/datasource.ts";
import { failOf } from "../../migrations/sql/failure.ts";
import type { SqlEnvironment } from "../../migrations/sql/types.ts";
import { ask } from "./dumps.ts";
import { SchemaError } from "./engine.ts";

/** Gives an empty database of MySQL the character set and collation of the live one. */
export async function takeCollation(
  live: Datasource,
  empty: Datasource,
  environment: SqlEnvironment,
): Promise<void> {
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
}

export const ANY_OF_SQLITE = "SELECT 1 FROM sqlite_schema LIMIT 1";

export const ANY_OF_MYSQL: string =
  "SELECT 1 FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() UNION ALL " +
  "SELECT 1 FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = DATABASE() UNION ALL " +
  "SELECT 1 FROM information_schema.EVENTS WHERE EVENT_SCHEMA = DATABASE() LIMIT 1";

/** Objects that extensions or other objects bring along do not count: indexes, types of rows and of arrays. */
export const ANY_OF_POSTGRESQL: string = [
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
