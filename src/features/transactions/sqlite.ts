import { Lock } from "./_connections.ts";
import { type Client, DriverTransactions, type ManagerOptions } from "./_driver.ts";

/** @internal */
type SqliteValue = null | number | bigint | string | Uint8Array;

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
interface SqliteDatabase {
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
  override readonly dialect = "sqlite";

  constructor(readonly database: SqliteDatabase, { acquireTimeout }: ManagerOptions = {}) {
    const lock = new Lock(acquireTimeout);
    super({
      async connect() {
        const release = await lock.acquire();
        // By prepare(), as errors of exec() have no code on Deno.
        // deno-lint-ignore require-await -- so that what it throws is a rejection
        return { release, query: async (sql: string) => database.prepare(sql).run() };
      },
      disconnect: (client) => client.release(),
      connectionBy(run) {
        const by = (method: "all" | "get" | "run") => (sql: string, ...values: SqliteValue[]) =>
          // deno-lint-ignore require-await -- so that what it throws is a rejection
          run(async () => database.prepare(sql)[method](...values));
        return { all: by("all"), get: by("get"), run: by("run") };
      },
      execute: (connection, sql) => connection.run(sql),
      query: (connection, sql, values) => connection.all(sql, ...values as SqliteValue[]),
      // IMMEDIATE, as the first write would fail where another process has written since the first read.
      beginning: ({ readOnly }) =>
        readOnly ? ["PRAGMA query_only = 1", "BEGIN"] : ["BEGIN IMMEDIATE"],
      resetting: ({ readOnly }) => readOnly ? ["PRAGMA query_only = 0"] : [],
      isEndedBy: () => database.isTransaction === false,
      // Such as a full disk, or OR ROLLBACK.
      endsTransaction: () => database.isTransaction === false,
    });
  }
}
