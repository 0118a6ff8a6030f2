import { Lock } from "./_connections.ts";
import { type Client, DriverTransactions, type ManagerOptions, type Run } from "./_driver.ts";
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

/** @internal */
export interface SqliteDatabase {
  // deno-lint-ignore no-explicit-any -- overloaded by the runtimes
  prepare(sql: string): Record<"all" | "get" | "run", (...values: any[]) => any>;
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
export class SqliteTransactions extends DriverTransactions<SqliteConnection, Client> {
  override readonly hasOneConnection = true;
  readonly #lock: Lock;

  constructor(readonly database: SqliteDatabase, { acquireTimeout }: ManagerOptions = {}) {
    super();
    this.#lock = new Lock(acquireTimeout);
  }

  override execute(connection: SqliteConnection, sql: string): Promise<unknown> {
    return connection.run(sql);
  }

  protected connectionBy(run: Run<Client>): SqliteConnection {
    const by = (method: "all" | "get" | "run") => (sql: string, ...values: SqliteValue[]) =>
      // deno-lint-ignore require-await -- so that what it throws is a rejection
      run(async () => this.database.prepare(sql)[method](...values));
    return { all: by("all"), get: by("get"), run: by("run") };
  }

  protected async connect(): Promise<Client> {
    const release = await this.#lock.acquire();
    // By prepare(), as errors of exec() have no code on Deno.
    // deno-lint-ignore require-await -- so that what it throws is a rejection
    return { release, query: async (sql) => this.database.prepare(sql).run() };
  }

  protected disconnect({ release }: Client): void {
    release();
  }

  /** `IMMEDIATE`, as the first write would fail where another process has written since the first read. */
  protected beginning({ readOnly }: TransactionSettings): string[] {
    return readOnly ? ["PRAGMA query_only = 1", "BEGIN"] : ["BEGIN IMMEDIATE"];
  }

  protected override resetting({ readOnly }: TransactionSettings): string[] {
    return readOnly ? ["PRAGMA query_only = 0"] : [];
  }

  /** Such as a full disk, or `OR ROLLBACK`. */
  protected override endsTransaction(): boolean {
    return this.database.isTransaction === false;
  }
}
