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
import { type TableRow, toBoolean, type Tool } from "./tool.ts";
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
      const name = String(columns[0]!.name);
      const { schema, elsewhere, readable } = columns[0]!;
      const names = new Set(inSchema.get(schema)!.map((row) => String(row.name).toLowerCase()));
      const table = {
        name,
        schema: String(schema),
        columns: columns.map((row) => String(row.field).toLowerCase()),
      };
      const isGuessed = !tool.tables.includes(name.toLowerCase());
      if (isGuessed && !tool.isHistory || !tool.isOwn(table, names)) continue;
      const isElsewhere = toBoolean(elsewhere);
      const place = isElsewhere ? `${schema}.${name}` : name;
      const named = { id: tool.id, tool: tool.name, place: `the table '${place}'` };
      const history = { ...named, isElsewhere, isGuessed };
      if (readable !== undefined && !toBoolean(readable)) {
        histories.push({ ...history, isEmpty: false, isUnreadable: true });
        continue;
      }
      const found = await rowsOf(database, quoted, isGuessed);
      if (isGuessed && !tool.isHistory?.(found)) continue;
      histories.push({
        ...history,
        isEmpty: found.length === 0 || tool.isEmpty?.(found) === true,
        ...(tool.match && { match: (paths, files) => tool.match!(found, paths, files) }),
      });
    }
  }
  return histories;
}

/** @param isGuessed whether the table may be anything else: a long one has no rows here */
async function rowsOf(
  database: Pick<Database, "query">,
  table: string,
  isGuessed: boolean,
): Promise<readonly TableRow[]> {
  const limit = isGuessed ? ` LIMIT ${MOST_ROWS + 1}` : "";
  const { rows } = await database.query(`SELECT * FROM ${table}${limit}`);
  return isGuessed && rows.length > MOST_ROWS ? [] : rows.map(lowered);
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
        "FROM main.sqlite_master m JOIN pragma_table_info(m.name) p " +
        `WHERE m.type = 'table' AND (lower(m.name) IN (${names}) OR 2 = (SELECT count(*) ` +
        `FROM pragma_table_info(m.name) WHERE name IN ${SHAPE})) ORDER BY 1, p.cid`;
  }
}

function lowered(row: TableRow): TableRow {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name.toLowerCase(), value]),
  );
}
