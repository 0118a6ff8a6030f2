import { loadSqlite } from "../../connect/drivers.ts";
import type { Command, Table, Value } from "../../types.ts";
import { sqliteError } from "./error.ts";

export interface DatabaseSync {
  exec(sql: string): void;
  prepare(sql: string): StatementSync;
  close(): void;
}

interface StatementSync {
  all(...values: (string | number | null)[]): Record<string, unknown>[];
  run(...values: (string | number | null)[]): { readonly changes: number | bigint };
  columns(): { readonly name: string }[];
  setReadBigInts(enabled: boolean): void;
  /** Absent in versions that have no rows of this form. */
  setReturnArrays?(enabled: boolean): void;
}

export interface SqliteConnection {
  exec(sql: string): void;
  run(command: Command): number;
  all(command: Command): Table;
  close(): void;
}

/** A client of SQLite without a session that a run could keep: libSQL, Cloudflare D1, `Bun.SQL`. */
export interface BatchClient {
  /** Whether what a file leaves in the session is there for the next one. */
  readonly hasSession: boolean;
  /** How long to wait before the lock of another run is asked for again, at least, in milliseconds. */
  readonly leastPauseMs: number;
  all(sql: string): Promise<Table>;
  change(command: Command): Promise<number>;
  /** All of them in one transaction, without foreign keys where these can be turned off. */
  batch(commands: readonly Command[]): Promise<unknown>;
  /** Gives up what was opened for the run; a connection of the application stays. */
  close(): void;
}

export async function loadSqliteDriver(
  redact?: Redact,
): Promise<(path: string) => SqliteConnection> {
  const open = await loadOpener();
  return (path) => wrapSqlite(path, open(path), redact);
}

export async function loadOpener(): Promise<(path: string) => DatabaseSync> {
  const { DatabaseSync } = await loadSqlite() as {
    DatabaseSync: new (path: string, options: unknown) => DatabaseSync;
  };
  return (path) => rewriting({ path, sql: "" }, () => new DatabaseSync(path, AS_SQLITE3));
}

/** The defaults of SQLite itself and of its program `sqlite3`; `node:sqlite` has the opposite ones. */
const AS_SQLITE3 = { enableDoubleQuotedStringLiterals: true, enableForeignKeyConstraints: false };

type Redact = (text: string) => string;

export function wrapSqlite(
  path: string,
  database: DatabaseSync,
  redact?: Redact,
): SqliteConnection {
  const prepared = new Map<string, StatementSync>();
  const prepare = (sql: string) => {
    const known = prepared.get(sql);
    if (known) return known;
    const statement = database.prepare(sql);
    statement.setReadBigInts(false);
    statement.setReturnArrays?.(false);
    prepared.set(sql, statement);
    return statement;
  };
  return {
    exec: (sql) => rewriting({ path, sql, redact }, () => database.exec(sql)),
    run: ({ sql, values }) =>
      rewriting(
        { path, sql, redact },
        () => Number(prepare(sql).run(...values.map(toSqlite)).changes),
      ),
    all: ({ sql, values }) =>
      rewriting({ path, sql, redact }, () => {
        const statement = prepare(sql);
        const columns = statement.columns().map(({ name }) => name);
        return { columns, rows: statement.all(...values.map(toSqlite)) };
      }),
    close: () => database.close(),
  };
}

function rewriting<T>(sent: Parameters<typeof sqliteError>[1], action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw sqliteError(error, sent);
  }
}

/** Takes back what is open; where there is no transaction, it does nothing. */
export function rollBack(connection: SqliteConnection | undefined): void {
  try {
    connection?.exec("ROLLBACK");
  } catch { /* There is none. */ }
}

/** Times as SQLite's own functions read them. */
export function toSqlite(value: Value): string | number | null {
  return value instanceof Date
    ? value.toISOString().replace("T", " ").replace("Z", "+00:00")
    : value;
}
