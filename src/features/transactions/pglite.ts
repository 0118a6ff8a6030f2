import { Lock } from "./_connections.ts";
import type { ManagerOptions } from "./_driver.ts";
import { rolledBack } from "./errors.ts";
import { TransactionManager } from "./manager.ts";
import { modesOf, type TransactionSettings } from "./options.ts";

/** Runs statements of PGlite, one after another. */
export interface PgliteConnection {
  /** Runs one statement with values. */
  // deno-lint-ignore no-explicit-any -- as the package has it: what a column holds is not known
  query<Row = any>(
    sql: string,
    values?: unknown[],
  ): Promise<{ readonly rows: Row[]; readonly affectedRows?: number }>;
  /** Runs several statements without values. */
  exec(sql: string): Promise<unknown>;
}

/** @internal */
interface PgliteDatabase extends PgliteConnection {
  transaction<T>(work: (transaction: PgliteConnection) => Promise<T>): Promise<T>;
}

/**
 * Transactions of PGlite. They run one after another, and statements outside of them wait. `timeout` cannot stop a
 * statement that runs.
 *
 * ```ts ignore
 * @Bean({ type: PgliteTransactions })
 * transactions() { return new PgliteTransactions(inject(PGlite)); }
 * ```
 */
export class PgliteTransactions extends TransactionManager<PgliteConnection> {
  override readonly checksCommit = true;
  override readonly hasOneConnection = true;
  override readonly dialect = "postgresql";
  readonly #lock: Lock;
  override readonly connection: PgliteConnection;

  constructor(readonly database: PgliteDatabase, { acquireTimeout }: ManagerOptions = {}) {
    super();
    this.#lock = new Lock(acquireTimeout);
    this.connection = {
      query: (sql, values) => this.#lock.run(() => database.query(sql, values)),
      exec: (sql) => this.#lock.run(() => database.exec(sql)),
    };
  }

  override run<T>(
    settings: TransactionSettings,
    work: (connection: PgliteConnection) => Promise<T>,
  ): Promise<T> {
    return this.#lock.run(() =>
      this.database.transaction(async (transaction) => {
        const modes = modesOf(settings);
        if (modes) await transaction.exec(`SET TRANSACTION${modes}`);
        const result = await work(transaction);
        // Refused after a statement has failed or ended it; COMMIT would succeed.
        await transaction.exec("SAVEPOINT irori").catch((cause) => {
          throw rolledBack("a statement in it failed or ended it, and its error was caught", cause);
        });
        return result;
      })
    );
  }

  override execute(connection: PgliteConnection, sql: string): Promise<unknown> {
    return connection.exec(sql);
  }

  override async query(
    connection: PgliteConnection,
    sql: string,
    values: readonly unknown[],
  ): Promise<readonly Readonly<Record<string, unknown>>[]> {
    return (await connection.query(sql, [...values])).rows;
  }
}
