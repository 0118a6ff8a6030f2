import type { ForeignHistory } from "../../runner/mod.ts";
import type { Datasource } from "../connect/datasource.ts";
import { stringLiteral } from "../files/quoting.ts";
import type { Database } from "../types.ts";
import { DRIZZLE } from "./drizzle.ts";
import { FLYWAY } from "./flyway.ts";
import {
  DBMATE,
  GOLANG_MIGRATE,
  KNEX,
  KYSELY,
  MIKRO_ORM,
  NODE_PG_MIGRATE,
  RECOGNISED,
} from "./named.ts";
import { PRISMA } from "./prisma.ts";
import { type ForeignTable, type TableRow, toBoolean, type Tool } from "./tool.ts";
import { GOOSE, SQLX, SUPABASE } from "./versioned.ts";

export const TOOLS: readonly Tool[] = [
  FLYWAY,
  DBMATE,
  GOLANG_MIGRATE,
  NODE_PG_MIGRATE,
  KNEX,
  PRISMA,
  DRIZZLE,
  SUPABASE,
  GOOSE,
  SQLX,
  KYSELY,
  MIKRO_ORM,
  ...RECOGNISED,
];

const BESIDE = ["ar_internal_metadata"];
const MOST_ROWS = 5_000;
/** Columns by which the history of Drizzle is found whose table the application has named. */
const SHAPE = "('hash', 'created_at')";
const LOCKS = ["knex_migrations_lock", "kysely_migration_lock"];

/** Whether a table belongs to another tool: its history, or its lock. @param names of all tables in lower case */
export function isHistory(table: ForeignTable, names: ReadonlySet<string>): boolean {
  const name = table.name.toLowerCase();
  return [...BESIDE, ...LOCKS].includes(name) ||
    TOOLS.some(({ tables, isOwn }) => tables.includes(name) && isOwn(table, names));
}

/**
 * The histories of other tools in a database: in the schema that tables are made in and in that of the records, and where
 * the first is PostgreSQL's `public`, which may be a default, in all others. Asks once, and once more for each.
 *
 * @throws {DatabaseError} when it cannot be read
 */
export async function foreignHistories(
  database: Pick<Database, "query">,
  datasource: Pick<Datasource, "kind" | "historySchema">,
): Promise<readonly ForeignHistory[]> {
  const wanted = [...new Set([...TOOLS.flatMap(({ tables }) => tables), ...BESIDE])];
  const { rows } = await database.query(
    columnsQuery(datasource, wanted.map(stringLiteral).join(", ")),
  );
  const tables = Map.groupBy(rows.map(lowered), ({ place }) => String(place));
  const inSchema = Map.groupBy([...tables.values()].map(([row]) => row!), ({ schema }) => schema);
  const histories: ForeignHistory[] = [];
  for (const tool of TOOLS) {
    for (const [quoted, columns] of tables) {
      const names = inSchema.get(columns[0]!.schema)!.map(({ name }) => String(name).toLowerCase());
      const found = await historyIn(database, tool, quoted, columns, new Set(names));
      if (found) histories.push(found);
    }
  }
  return histories;
}

/** @param names of all tables in its schema, in lower case */
async function historyIn(
  database: Pick<Database, "query">,
  tool: Tool,
  quoted: unknown,
  columns: readonly TableRow[],
  names: ReadonlySet<string>,
): Promise<ForeignHistory | undefined> {
  const { schema, elsewhere, readable, ...first } = columns[0]!;
  const name = String(first.name);
  const fields = columns.map(({ field }) => String(field).toLowerCase());
  const isGuessed = !tool.tables.includes(name.toLowerCase());
  if (isGuessed && !tool.isHistory) return undefined;
  if (!tool.isOwn({ name, schema: String(schema), columns: fields }, names)) return undefined;
  const isElsewhere = toBoolean(elsewhere);
  const place = isElsewhere ? `${schema}.${name}` : name;
  const named = { id: tool.id, tool: tool.name, place: `the table '${place}'` };
  const history = { ...named, isElsewhere, isGuessed };
  if (readable !== undefined && !toBoolean(readable)) {
    return { ...history, isEmpty: false, isUnreadable: true };
  }
  const limit = isGuessed ? ` LIMIT ${MOST_ROWS + 1}` : "";
  const found = (await database.query(`SELECT * FROM ${quoted}${limit}`)).rows.map(lowered);
  if (isGuessed && (found.length > MOST_ROWS || !tool.isHistory?.(found))) return undefined;
  return {
    ...history,
    isEmpty: found.length === 0 || tool.isEmpty?.(found) === true,
    ...(tool.match && { match: (paths, files) => tool.match!(found, paths, files) }),
  };
}

/** Each column (`field`) of these tables (`name`; `place` as SQL names it), in order; PostgreSQL names those it keeps back. */
function columnsQuery(
  { kind, historySchema }: Pick<Datasource, "kind" | "historySchema">,
  names: string,
): string {
  switch (kind) {
    case "postgresql": {
      const schemas = ["current_schema()", "'drizzle'", "'supabase_migrations'"];
      if (historySchema !== undefined) schemas.push(stringLiteral(historySchema));
      const own = `n.nspname IN (${schemas.join(", ")})`;
      return "SELECT format('%I.%I', n.nspname, c.relname) AS place, c.relname AS name, " +
        `n.nspname AS schema, NOT ${own} AS elsewhere, ` +
        "a.attname AS field, has_table_privilege(c.oid, 'SELECT') AND " +
        "has_schema_privilege(n.oid, 'USAGE') AS readable FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace " +
        "JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped " +
        `WHERE c.relkind IN ('r', 'p') AND (lower(c.relname) IN (${names}) OR 2 = (SELECT count(*) ` +
        `FROM pg_attribute s WHERE s.attrelid = c.oid AND s.attname IN ${SHAPE})) ` +
        `AND (${own} OR current_schema() = 'public' AND n.nspname !~ '^pg_' ` +
        "AND has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT')) " +
        "ORDER BY 1, a.attnum";
    }
    case "mysql":
      return "SELECT CONCAT('`', REPLACE(TABLE_SCHEMA, '`', '``'), '`.`', REPLACE(TABLE_NAME, '`', '``'), '`') AS place, " +
        "TABLE_NAME AS name, COLUMN_NAME AS field FROM information_schema.COLUMNS " +
        `WHERE TABLE_SCHEMA = DATABASE() AND (LOWER(TABLE_NAME) IN (${names}) OR TABLE_NAME IN ` +
        "(SELECT TABLE_NAME FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() " +
        `AND COLUMN_NAME IN ${SHAPE} GROUP BY TABLE_NAME HAVING COUNT(*) = 2)) ` +
        "ORDER BY 1, ORDINAL_POSITION";
    case "sqlite":
      return "SELECT 'main.\"' || replace(m.name, '\"', '\"\"') || '\"' AS place, m.name AS name, p.name AS field " +
        // D1 refuses to describe its own tables.
        "FROM (SELECT name FROM main.sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf_*') m " +
        `JOIN pragma_table_info(m.name) p WHERE (lower(m.name) IN (${names}) OR 2 = (SELECT count(*) ` +
        `FROM pragma_table_info(m.name) WHERE name IN ${SHAPE})) ORDER BY 1, p.cid`;
  }
}

function lowered(row: TableRow): TableRow {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name.toLowerCase(), value]),
  );
}
