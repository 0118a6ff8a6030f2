import type { ForeignFindings, ForeignHistory } from "../../runner/mod.ts";
import type { Datasource } from "../connect/datasource.ts";
import { WRANGLER } from "../engines/d1/history.ts";
import { engineOf } from "../engines/table.ts";
import { stringLiteral } from "../files/quoting.ts";
import { OWN_TABLES } from "../journal/records.ts";
import type { Database, SqlMigration, TablesAsked } from "../types.ts";
import { DRIZZLE } from "./drizzle.ts";
import { FLYWAY } from "./flyway.ts";
import { madeBy, type MadeTable } from "./made.ts";
import * as named from "./named.ts";
import { PRISMA } from "./prisma.ts";
import { type ForeignTable, type TableRow, text, toBoolean, type Tool } from "./tool.ts";
import { GOOSE, SQLX, SUPABASE } from "./versioned.ts";

const TOOLS: readonly Tool[] = [
  FLYWAY,
  named.DBMATE,
  named.GOLANG_MIGRATE,
  named.NODE_PG_MIGRATE,
  named.KNEX,
  named.SQL_MIGRATE,
  WRANGLER,
  PRISMA,
  DRIZZLE,
  SUPABASE,
  GOOSE,
  SQLX,
  named.KYSELY,
  named.MIKRO_ORM,
  ...named.RECOGNISED,
];

const BESIDE = ["ar_internal_metadata", "knex_migrations_lock", "kysely_migration_lock"];
const OTHERS = [...OWN_TABLES, ...BESIDE];
const FIXED = TOOLS.flatMap(({ schema }) => schema ?? []);
/** Schemas in which a tool may have its table, whatever the connection works in. */
const HOMES = ["drizzle", "atlas_schema_revisions", ...FIXED];
const MOST_ROWS = 5_000;

/** Whether a table belongs to another tool: its history, or its lock. @param names of all tables in lower case */
export function isHistory(table: ForeignTable, names: ReadonlySet<string>): boolean {
  return BESIDE.includes(table.name.toLowerCase()) ||
    TOOLS.some((tool) => isNamed(tool, table) && isOf(tool, table, names));
}

function isNamed({ tables }: Tool, { name }: ForeignTable): boolean {
  return tables.includes(name.toLowerCase());
}

function isOf(tool: Tool, table: ForeignTable, names: ReadonlySet<string>): boolean {
  const { columns, more, schema, fits } = tool;
  const isOpen = more !== undefined && isNamed(tool, table);
  return columns.every((column) => table.columns.includes(column)) &&
    (isOpen || table.columns.every((column) => [...columns, ...more ?? []].includes(column))) &&
    schema === FIXED.find((home) => home === table.schema) && fits?.(names) !== false;
}

/**
 * The histories of other tools in a database: in the schema that tables are made in and in that of the records, and where
 * the first is PostgreSQL's `public`, which may be a default, in all others; and the tables, of the schemas that these
 * files make theirs in, that are neither a history nor made by them. Asks once, and once more for each history.
 *
 * @throws {DatabaseError} when it cannot be read
 */
export async function foreignHistories(
  database: Pick<Database, "query">,
  datasource: Pick<Datasource, "kind" | "engine" | "historySchema" | "tablesBefore">,
  migrations: readonly SqlMigration[] = [],
): Promise<ForeignFindings> {
  const dialect = await engineOf(datasource).dialect();
  const made = madeBy(migrations, dialect.grammar);
  const { rows } = await database.query(dialect.tables(askedOf(made, datasource)));
  const found = rows.map(tableOf);
  const histories: ForeignHistory[] = [];
  const unknown = new Set(found.filter(({ isHere }) => isHere));
  const inSchema = Map.groupBy(found, ({ schema }) => schema);
  const beside = new Map([...inSchema].map(([schema, tables]) => {
    return [schema, new Set(tables.map(({ name }) => name.toLowerCase()))];
  }));
  for (const tool of TOOLS) {
    for (const table of found) {
      if (!isOf(tool, table, beside.get(table.schema)!)) continue;
      const history = await historyIn(database, tool, table);
      if (history) histories.push(history);
      if (isNamed(tool, table)) unknown.delete(table);
    }
  }
  const known = new Set([...OTHERS, ...datasource.tablesBefore ?? []]);
  const names = new Set(made.map(({ schema = "", name }) => `${schema}.${name}`.toLowerCase()));
  const rest = [...unknown].filter(({ name }) => !known.has(name.toLowerCase()));
  const tables = rest.filter(({ schema, name }) => {
    return !["", schema].some((place) => names.has(`${place}.${name}`.toLowerCase()));
  }).map(({ shown }) => shown);
  return { histories, tables, isMade: tables.length < rest.length };
}

function tableOf(row: TableRow) {
  const { place, name, schema, fields, elsewhere, here, readable } = lowered(row);
  const [isOther, isHere] = [elsewhere, here].map(toBoolean);
  const columns = String(fields ?? "").toLowerCase().split(",");
  return {
    ...{ place: String(place), name: String(name), columns },
    ...(text(schema) !== undefined && { schema: String(schema) }),
    ...{ isElsewhere: isOther! && !isHere, isHere: isHere! },
    shown: isOther ? `${schema}.${name}` : `${name}`,
    isReadable: toBoolean(readable),
  };
}

async function historyIn(
  database: Pick<Database, "query">,
  tool: Tool,
  table: ReturnType<typeof tableOf>,
): Promise<ForeignHistory | undefined> {
  const { name, shown, place, isElsewhere, isReadable } = table;
  const isGuessed = !isNamed(tool, table);
  // Supabase, for one, has tables of such names in schemas of its own.
  const isShared = TOOLS.filter(({ tables }) => tables.includes(name.toLowerCase())).length > 1;
  if (!tool.match && (isGuessed || isElsewhere && isShared)) return undefined;
  const source = { id: tool.id, tool: tool.name, table: shown, place: `the table '${shown}'` };
  const history = { ...source, isElsewhere, isGuessed };
  if (!isReadable) return { ...history, isEmpty: false, isUnreadable: true };
  const limit = isGuessed ? ` LIMIT ${MOST_ROWS + 1}` : "";
  const found = (await database.query(`SELECT * FROM ${place}${limit}`)).rows.map(lowered);
  const isOther = found.length > MOST_ROWS || tool.isHistory?.(found) === false;
  if (isGuessed && isOther) return undefined;
  return {
    ...history,
    isEmpty: found.length === 0 || tool.isEmpty?.(found) === true,
    ...(tool.match && {
      match: (files) => tool.match!(found, files.map(({ path }) => path), files),
    }),
  };
}

function askedOf(
  made: readonly MadeTable[],
  { historySchema }: Pick<Datasource, "historySchema">,
): TablesAsked {
  const named = new Set(made.flatMap(({ schema }) => schema ?? []));
  const listed = (texts: readonly string[]) => texts.map(stringLiteral).join(", ");
  return {
    here: (current) =>
      [...named.size > 0 ? named : [""]].map((name) =>
        name === "" ? current : listed([name, name.toLowerCase()])
      ).join(", "),
    homes: listed(historySchema === undefined ? HOMES : [...HOMES, historySchema]),
    names: listed(TOOLS.flatMap(({ tables }) => tables).concat(BESIDE)),
    columns: listed(TOOLS.flatMap(({ columns }) => columns)),
  };
}

function lowered(row: TableRow): TableRow {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name.toLowerCase(), value]),
  );
}
