import {
  type Attempt,
  type JournalEntry,
  type MigrationRecord,
  readTime,
} from "../../runner/mod.ts";
import { DatabaseError } from "../errors.ts";
import type { Command, HistoryTypes, Table } from "../types.ts";

export const TABLE = "framework_migrations";
/** Tables of the library in databases of applications: schemas, drift and types of rows leave them out. */
export const OWN_TABLES: readonly string[] = [
  TABLE,
  `${TABLE}_lock`,
  ...["irori_ticks", "irori_idempotency_keys", "irori_backfills"],
];
/** Schemas of PostgreSQL with tables of the library alone. */
export const OWN_SCHEMAS: readonly string[] = ["irori_jobs"];

export interface Records {
  readonly entries: Map<string, JournalEntry>;
  /** Whether the table has no row, of other connections neither. */
  readonly isEmpty: boolean;
  /** Other connections that have rows of these files with the same content. */
  readonly others: ReadonlySet<string>;
  /** Columns that the table has not: the framework that had it first, or an earlier version, made it. */
  readonly missing: readonly Column[];
  /** Paths of rows that are not as ours: without a connection, a state or a hash. */
  readonly foreign: ReadonlySet<string>;
  /** New paths of records, by the paths that rows still have. */
  readonly moved: ReadonlyMap<string, string>;
}

/** Understands the rows of the table. @throws {DatabaseError} of kind `history` when the table is not one of ours */
export function recordsOf(
  { columns, rows }: Table,
  connection: string,
  hashes: ReadonlyMap<string, string>,
): Records {
  if (!columns.includes("migration_path")) {
    throw new DatabaseError(
      "history",
      `The table '${TABLE}' is not a migration history: expected the column 'migration_path', found ` +
        columns.map((column) => `'${column}'`).join(", "),
    );
  }
  const entries = new Map<string, JournalEntry>();
  const foreign = new Set<string>();
  const others = new Set<string>();
  for (const row of rows) {
    const path = `${row.migration_path}`;
    if (row.connection != null && row.connection !== connection) {
      if (row.content_hash === (hashes.get(path) ?? "")) others.add(`${row.connection}`);
      continue;
    }
    entries.set(path, entryOf(path, row, hashes.get(path) ?? ""));
    const isOurs = [row.connection, row.state, row.content_hash].every((value) => value != null);
    if (!isOurs) foreign.add(path);
  }
  const missing = (Object.keys(COLUMNS) as Column[]).filter((name) => !columns.includes(name));
  const moved = moveRecords(entries, hashes);
  return { entries, isEmpty: rows.length === 0, others, missing, foreign, moved };
}

const FOLDER = /^(.*\/)?(\d{14})_([^/]*)\/migration\.sql$/;
const FILE = /^(.*\/)?\d+_([^/]*)\.sql$/;

/** 'drizzle-kit up' moves `0001_x.sql` to `<time>_x/migration.sql`; a deployment that is rolled back moves it again. */
function moveRecords(
  entries: Map<string, JournalEntry>,
  hashes: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const moved = new Map<string, string>();
  // Those with the same content first, as several may have one name; an edited one is not to be applied again.
  for (const isMoved of [hasHash, isEarlier]) {
    for (const [path, hash] of hashes) {
      const before = entries.has(path) ? undefined : [...entries.values()].find((entry) => {
        return !hashes.has(entry.path) && isCounterpart(entry.path, path) &&
          isMoved(entry, hash, path, moved);
      });
      if (before === undefined) continue;
      entries.delete(before.path);
      entries.set(path, { ...before, path });
      moved.set(before.path, path);
    }
  }
  return moved;
}

function isCounterpart(one: string, other: string): boolean {
  const [file, folder] = FOLDER.test(other) ? [one, other] : [other, one];
  const [, place = "", name] = FILE.exec(file) ?? [];
  const [, parent = "", , folderName] = FOLDER.exec(folder) ?? [];
  return name !== undefined && name === folderName && place === parent;
}

function hasHash({ applied, attempt }: JournalEntry, hash: string): boolean {
  return (attempt ?? applied)?.hash === hash;
}

/** Whether its folder is older than the record, and beside one with its content: Prisma's folders have such names, too. */
function isEarlier({ applied }: JournalEntry, _: string, path: string, moved: Map<string, string>) {
  const [, place, time] = FOLDER.exec(path) ?? [];
  const executed = applied?.executedAt.toISOString().replace(/\D/g, "").slice(0, 14);
  return time !== undefined && (executed === undefined || time <= executed) &&
    moved.values().some((to) => FOLDER.exec(to)?.[1] === place);
}

/** The columns in the order of the table, and what they hold. */
const COLUMNS = {
  connection: "name",
  migration_path: "path",
  content_hash: "hash",
  executed_at: "time",
  executed_by: "text",
  duration_ms: "duration",
  state: "text",
  statement: "integer",
  previous_hash: "hash",
  previous_at: "time",
} as const;
const REQUIRED: readonly string[] = ["connection", "migration_path", "executed_at", "state"];

type Column = keyof typeof COLUMNS;

function entryOf(
  path: string,
  row: Readonly<Record<string, unknown>>,
  fallback: string,
): JournalEntry {
  const hash = row.content_hash == null ? fallback : `${row.content_hash}`;
  const isBegun = row.state === "running" || row.state === "partial" || row.state === "failed";
  if (!isBegun) return { path, applied: appliedOf(row, hash) };
  const attempt: Attempt = {
    hash,
    state: row.state === "running" ? "running" : "partial",
    repeatSafe: false,
    ...(row.executed_by != null && { owner: `${row.executed_by}` }),
    ...(row.statement != null && { statements: Number(row.statement) }),
  };
  if (row.previous_hash == null) return { path, attempt };
  const executedAt = readTime(row.previous_at);
  return { path, applied: { hash: `${row.previous_hash}`, executedAt, kind: "sql" }, attempt };
}

function appliedOf(row: Readonly<Record<string, unknown>>, hash: string): MigrationRecord {
  return {
    hash,
    executedAt: readTime(row.executed_at),
    ...(row.executed_by != null && { executedBy: `${row.executed_by}` }),
    ...(row.duration_ms != null && { durationMs: Number(row.duration_ms) }),
    kind: "sql",
  };
}

interface TableName {
  readonly table: string;
  readonly connection: string;
}

/** Changes no row that is not as it was read; `undefined` if there is nothing to change. */
export function changeOf(
  { table, connection }: TableName,
  before: JournalEntry | undefined,
  after: JournalEntry,
): Command | undefined {
  const { path } = after;
  const row = rowOf(after);
  const was = before && rowOf(before);
  if (row === undefined && was === undefined) return undefined;
  const kept = row && {
    sql:
      `FROM ${table} WHERE connection = ? AND migration_path = ? AND content_hash = ? AND state = ?`,
    values: [connection, path, row.content_hash, row.state],
  };
  if (was === undefined) {
    const names = ["connection", "migration_path", ...Object.keys(row!)];
    const marks = names.map(() => "?").join(", ");
    const sql = `INSERT INTO ${table} (${names.join(", ")}) VALUES (${marks})`;
    return { sql, values: [connection, path, ...Object.values(row!)], fence: path, kept: kept! };
  }
  // Version 0.1.0 wrote `failed` for what is `partial`.
  const states = was.state === "partial" ? ["partial", "failed"] : [was.state, was.state];
  const where =
    "WHERE connection = ? AND migration_path = ? AND content_hash = ? AND state IN (?, ?)";
  const fence = [connection, path, was.content_hash, ...states];
  if (row === undefined) {
    return { sql: `DELETE FROM ${table} ${where}`, values: fence, fence: path };
  }
  const set = Object.keys(row).map((name) => `${name} = ?`).join(", ");
  const values = [...Object.values(row), ...fence];
  return { sql: `UPDATE ${table} SET ${set} ${where}`, values, fence: path, kept: kept! };
}

const MAX_OWNER = 255;

/** The values of a row; while an attempt is open, those of what was applied before it stand aside. */
function rowOf({ applied, attempt }: JournalEntry) {
  const own = attempt
    ? { ...attempt, executedAt: new Date(), executedBy: attempt.owner, durationMs: undefined }
    : applied && { ...applied, state: "applied" };
  const before = attempt && applied;
  return own && {
    content_hash: own.hash,
    executed_at: own.executedAt,
    executed_by: own.executedBy?.slice(0, MAX_OWNER) ?? null,
    duration_ms: own.durationMs === undefined ? null : Math.round(own.durationMs),
    state: own.state,
    statement: attempt ? attempt.statements ?? 0 : null,
    previous_hash: before?.hash ?? null,
    previous_at: before?.executedAt ?? null,
  };
}

export function createTable(table: string, types: HistoryTypes): Command {
  const columns = Object.entries(COLUMNS).map(([name, kind]) => {
    return `  ${name} ${types[kind]}${REQUIRED.includes(name) ? " NOT NULL" : ""},\n`;
  });
  const sql = `CREATE TABLE IF NOT EXISTS ${table} (\n${columns.join("")}  PRIMARY KEY ${KEY}\n)`;
  return { sql: sql + (types.suffix ?? ""), values: [] };
}

const KEY = "(connection, migration_path)";

/**
 * Brings an older table to our form: that of the PHP framework (`id, migration_path, executed_at, executed_by`), or of
 * version 0.1.0. Rows that know no connection come to belong to this one; those of files that are known get the hash that
 * the files have now.
 */
export function upgradeTable(
  { table, connection }: TableName,
  types: HistoryTypes,
  { missing, foreign, moved }: Records,
  hashes: ReadonlyMap<string, string>,
): Command[] {
  const unique = `${TABLE}_connection_path`;
  const command = (sql: string, ...values: string[]): Command => ({ sql, values });
  const where = "WHERE connection = ? AND migration_path = ?";
  const isKeyed = !missing.includes("connection");
  const added = missing.map((name) => `ADD COLUMN ${name} ${types[COLUMNS[name]]}`);
  // In one statement: a table with the column always has the key.
  const altered = types.addsSeveral
    ? [[...added, ...isKeyed ? [] : [`ADD CONSTRAINT ${unique} UNIQUE ${KEY}`]].join(", ")]
    : added;
  return [
    ...altered.filter((parts) => parts !== "").map((parts) => {
      return command(`ALTER TABLE ${table} ${parts}`);
    }),
    ...isKeyed || types.addsSeveral
      ? []
      : [command(`CREATE UNIQUE INDEX ${unique} ON ${TABLE} ${KEY}`)],
    ...foreign.size === 0 ? [] : [
      command(`UPDATE ${table} SET connection = ? WHERE connection IS NULL`, connection),
      command(`UPDATE ${table} SET state = ? WHERE state IS NULL`, "applied"),
    ],
    ...[...moved].map(([from, to]) =>
      command(`UPDATE ${table} SET migration_path = ? ${where}`, to, connection, from)
    ),
    ...[...foreign].filter((path) => hashes.has(path)).map((path) =>
      command(
        `UPDATE ${table} SET content_hash = ? ${where} AND content_hash IS NULL`,
        ...[hashes.get(path)!, connection, path],
      )
    ),
  ];
}
