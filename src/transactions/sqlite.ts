import { Lock, type ManagerOptions } from "./_pool.ts";
import { rolledBack, TransactionError } from "./errors.ts";
import { TransactionManager } from "./manager.ts";
import type { TransactionSettings } from "./options.ts";

/** A value that SQLite stores. @internal */
export type SqliteValue = null | number | bigint | string | Uint8Array;

/** Runs statements of SQLite, one after another; values take the place of `?`. */
export interface SqliteConnection {
  /** Gives all rows. */
  // deno-lint-ignore no-explicit-any -- what a column holds is not known
  all<Row = any>(sql: string, ...values: SqliteValue[]): Promise<Row[]>;
  /** Gives the first row. */
  // deno-lint-ignore no-explicit-any -- what a column holds is not known
  get<Row = any>(sql: string, ...values: SqliteValue[]): Promise<Row | undefined>;
  /** Gives what was changed. */
  run(
    sql: string,
    ...values: SqliteValue[]
  ): Promise<{ readonly changes: number | bigint; readonly lastInsertRowid: number | bigint }>;
}

/** A `DatabaseSync` of `node:sqlite`. @internal */
export interface SqliteDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): {
    // deno-lint-ignore no-explicit-any -- overloaded by the runtimes
    all(...values: any[]): any;
    // deno-lint-ignore no-explicit-any -- overloaded by the runtimes
    get(...values: any[]): any;
    // deno-lint-ignore no-explicit-any -- overloaded by the runtimes
    run(...values: any[]): any;
  };
  readonly isTransaction?: boolean;
}

/**
 * Transactions of SQLite on a `DatabaseSync` of `node:sqlite`. They run one after another, and statements outside of them
 * wait, so that no caller reads what another has not committed; use the database by {@linkcode current} only.
 *
 * ```ts ignore
 * @Bean({ type: SqliteTransactions })
 * transactions() { return new SqliteTransactions(inject(DatabaseSync)); }
 * ```
 */
export class SqliteTransactions extends TransactionManager<SqliteConnection> {
  override readonly checksCommit = true;
  override readonly hasOneConnection = true;
  readonly #lock: Lock;
  readonly connection: SqliteConnection;

  constructor(readonly database: SqliteDatabase, { acquireTimeout }: ManagerOptions = {}) {
    super();
    this.#lock = new Lock(acquireTimeout);
    this.connection = this.#connection((statement) => this.#lock.run(statement));
  }

  run<T>(
    { readOnly }: TransactionSettings,
    work: (connection: SqliteConnection) => Promise<T>,
  ): Promise<T> {
    const { database } = this;
    let isOpen = true;
    const connection = this.#connection(async (statement) => {
      if (!isOpen) throw new TransactionError("Cannot run a statement: its transaction has ended");
      requireTransaction(database);
      return await statement();
    });
    return this.#lock.run(async () => {
      try {
        if (readOnly) database.exec("PRAGMA query_only = 1");
        // Not at the first write, where it would fail if another process has written meanwhile.
        database.exec(readOnly ? "BEGIN" : "BEGIN IMMEDIATE");
        const result = await work(connection);
        requireTransaction(database);
        // Not by exec(), whose errors have no code on Deno.
        database.prepare("COMMIT").run();
        return result;
      } catch (error) {
        if (database.isTransaction !== false) rollBack(database);
        throw error;
      } finally {
        isOpen = false;
        if (readOnly) database.exec("PRAGMA query_only = 0");
      }
    });
  }

  override execute(connection: SqliteConnection, sql: string): Promise<unknown> {
    return connection.run(sql);
  }

  #connection(turn: <T>(statement: () => T) => Promise<T>): SqliteConnection {
    const { database } = this;
    return {
      all: (sql, ...values) => turn(() => database.prepare(sql).all(...values)),
      get: (sql, ...values) => turn(() => database.prepare(sql).get(...values)),
      run: (sql, ...values) => turn(() => database.prepare(sql).run(...values)),
    };
  }
}

/** After some failures, such as a full disk or `OR ROLLBACK`, SQLite rolls back: what followed would commit one by one. */
function requireTransaction({ isTransaction }: SqliteDatabase): void {
  if (isTransaction !== false) return;
  throw rolledBack("the database has rolled it back after an error, which was caught");
}

function rollBack(database: SqliteDatabase): void {
  try {
    database.exec("ROLLBACK");
  } catch {
    // There is none any more.
  }
}
