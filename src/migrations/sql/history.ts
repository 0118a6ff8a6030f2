import type { History, Interruption, MigrationRecord } from "../runner/mod.ts";
import type { Command, Dialect, SqlMigration, SqlRecord, Table } from "./types.ts";

/** Name of the history table (reference 2.7). */
export const TABLE = "framework_migrations";

/** A row of the history table that belongs to one connection. */
export interface Row {
  readonly path: string;
  /** Missing in rows of the older table: they count as applied with the hash that the file has now. */
  readonly hash?: string;
  readonly executedAt: Date;
  readonly executedBy?: string;
  readonly durationMs?: number;
  readonly state: SqlRecord["state"];
  readonly statement?: number;
}

/** What the history table holds of one connection. */
export interface Rows {
  /** `older`: the table of the PHP framework, which knows no connections and no hashes. */
  readonly form: "missing" | "older" | "current";
  readonly columns: readonly string[];
  /** By path. */
  readonly byPath: Map<string, Row>;
}

/** The query that reads the table, whatever its form: one statement, so that a run needs one read. */
export function selectAll(): Command {
  return { sql: `SELECT * FROM ${TABLE}`, values: [] };
}

/** The query that reads one row again. */
export function selectRow(connection: string, path: string): Command {
  const sql = `SELECT * FROM ${TABLE} WHERE connection = ? AND migration_path = ?`;
  return { sql, values: [connection, path] };
}

/**
 * Understands what {@linkcode selectAll} gave.
 *
 * @param table `undefined` where there is no such table
 * @throws {TypeError} when the table is not one of ours
 */
export function toRows(table: Table | undefined, connection: string): Rows {
  if (table === undefined) return { form: "missing", columns: [], byPath: new Map() };
  const { columns } = table;
  if (!columns.includes("migration_path")) {
    throw new TypeError(
      `The table '${TABLE}' is not one of migrations: it has no column 'migration_path' but ` +
        columns.map((column) => `'${column}'`).join(", "),
    );
  }
  const form = REQUIRED.every((column) => columns.includes(column)) ? "current" : "older";
  const own = columns.includes("connection")
    ? table.rows.filter((row) => row.connection === connection || row.connection === null)
    : table.rows;
  return {
    form,
    columns,
    byPath: new Map(own.map((row) => [`${row.migration_path}`, toRow(row)])),
  };
}

/** The columns that an older table lacks. */
const REQUIRED = [
  ...["connection", "content_hash", "executed_at", "executed_by"],
  ...["duration_ms", "state", "statement"],
];

function toRow(row: Readonly<Record<string, unknown>>): Row {
  const state = row.state === "running" || row.state === "failed" ? row.state : "applied";
  return {
    path: `${row.migration_path}`,
    executedAt: toDate(row.executed_at),
    state,
    ...(row.content_hash != null && { hash: `${row.content_hash}` }),
    ...(row.executed_by != null && { executedBy: `${row.executed_by}` }),
    ...(row.duration_ms != null && { durationMs: Number(row.duration_ms) }),
    ...(row.statement != null && { statement: Number(row.statement) }),
  };
}

/** Times without a zone are UTC: so ours are written where the type has none. */
function toDate(value: unknown): Date {
  if (value instanceof Date) return value;
  const text = `${value}`.trim().replace(" ", "T");
  const zoned = /(Z|[+-]\d\d(:?\d\d)?)$/.test(text) ? text : `${text}Z`;
  const date = new Date(zoned);
  return Number.isNaN(date.getTime()) ? new Date(0) : date;
}

/** What the runner has to know of these files. */
export function toHistory(rows: Rows, migrations: readonly SqlMigration[]): History {
  const records = new Map<string, MigrationRecord>();
  const interrupted: Interruption[] = [];
  for (const { file, statements } of migrations) {
    const row = rows.byPath.get(file.path);
    if (row === undefined) continue;
    if (row.state === "applied") records.set(file.path, toRecord(row, file.hash));
    else {
      const detail = interruptionOf(row, statements.length);
      interrupted.push({ path: file.path, hash: row.hash ?? file.hash, detail });
    }
  }
  return { records, interrupted };
}

/** A row as a record. @param hash what counts where the row has none */
export function toRecord(row: Row, hash: string): SqlRecord {
  return { ...row, hash: row.hash ?? hash, kind: "sql" };
}

/** How far an unfinished file came. */
export function interruptionOf({ state, statement = 0 }: Row, total: number): string {
  const done = appliedPhrase(statement);
  const current = `statement ${statement + 1}${total > statement ? ` of ${total}` : ""}`;
  return state === "failed"
    ? `${current} failed, ${done}`
    : `${done}, and of ${current} nothing is known`;
}

/** `none is applied`, `1 is applied`, `1 and 2 are applied`, `1 to 5 are applied`. */
export function appliedPhrase(count: number): string {
  if (count === 0) return "none before it is applied";
  if (count === 1) return "1 is applied";
  return `1 ${count === 2 ? "and" : "to"} ${count} are applied`;
}

/** Writes a row, over `previous` where there is one. */
export function saveRow(connection: string, previous: Row | undefined, row: Row): Command {
  return previous === undefined ? insertRow(connection, row) : updateRow(connection, row);
}

function insertRow(connection: string, row: Row): Command {
  const sql = `INSERT INTO ${TABLE} (connection, migration_path, content_hash, executed_at, ` +
    "executed_by, duration_ms, state, statement) VALUES (?, ?, ?, ?, ?, ?, ?, ?)";
  return { sql, values: [connection, row.path, ...valuesOf(row)] };
}

/** Writes a row again. */
export function updateRow(connection: string, row: Row): Command {
  const sql = `UPDATE ${TABLE} SET content_hash = ?, executed_at = ?, executed_by = ?, ` +
    "duration_ms = ?, state = ?, statement = ? WHERE connection = ? AND migration_path = ?";
  return { sql, values: [...valuesOf(row), connection, row.path] };
}

function valuesOf(row: Row): (string | number | Date | null)[] {
  return [
    row.hash ?? null,
    row.executedAt,
    row.executedBy ?? null,
    row.durationMs ?? null,
    row.state,
    row.statement ?? null,
  ];
}

/** Says how many statements of an unfinished file are applied. */
export function updateProgress(connection: string, path: string, statement: number): Command {
  const sql = `UPDATE ${TABLE} SET statement = ? WHERE connection = ? AND migration_path = ?`;
  return { sql, values: [statement, connection, path] };
}

/** Takes a row away. */
export function deleteRow(connection: string, path: string): Command {
  const sql = `DELETE FROM ${TABLE} WHERE connection = ? AND migration_path = ?`;
  return { sql, values: [connection, path] };
}

/** Creates the table. */
export function createTable({ types }: Dialect): Command {
  const columns = [
    `connection ${types.name} NOT NULL`,
    `migration_path ${types.path} NOT NULL`,
    `content_hash ${types.hash}`,
    `executed_at ${types.time} NOT NULL`,
    `executed_by ${types.text}`,
    `duration_ms ${types.duration}`,
    `state ${types.text} NOT NULL`,
    `statement ${types.integer}`,
    "PRIMARY KEY (connection, migration_path)",
  ];
  const sql = `CREATE TABLE IF NOT EXISTS ${TABLE} (\n  ${columns.join(",\n  ")}\n)${types.suffix}`;
  return { sql, values: [] };
}

/**
 * Brings the PHP framework's table (`id, migration_path, executed_at, executed_by`) to our form. Its rows come
 * to belong to this connection; those of the given files get the hash that the files have now.
 */
export function upgradeTable(
  { types }: Dialect,
  connection: string,
  { columns, byPath }: Rows,
  migrations: readonly SqlMigration[],
): Command[] {
  const wanted: Readonly<Record<string, string>> = {
    connection: types.name,
    content_hash: types.hash,
    executed_at: types.time,
    executed_by: types.text,
    duration_ms: types.duration,
    state: types.text,
    statement: types.integer,
  };
  const missing = Object.entries(wanted).filter(([name]) => !columns.includes(name));
  const command = (sql: string, ...values: string[]): Command => ({ sql, values });
  return [
    ...missing.map(([name, type]) => command(`ALTER TABLE ${TABLE} ADD COLUMN ${name} ${type}`)),
    command(`UPDATE ${TABLE} SET connection = ? WHERE connection IS NULL`, connection),
    command(`UPDATE ${TABLE} SET state = ? WHERE state IS NULL`, "applied"),
    ...migrations.filter(({ file }) => byPath.has(file.path)).map(({ file }) =>
      command(
        `UPDATE ${TABLE} SET content_hash = ? WHERE migration_path = ? AND content_hash IS NULL`,
        file.hash,
        file.path,
      )
    ),
    command(
      `CREATE UNIQUE INDEX ${TABLE}_connection_path ON ${TABLE} (connection, migration_path)`,
    ),
  ];
}
