import type { TransactionOptions, TransactionSettings } from "./options.ts";

/**
 * Runs transactions of one database. Drivers have one each, such as {@linkcode PgTransactions}; for an ORM, extend it.
 * It is the bean by which `@Transactional()` and repositories find their database.
 *
 * ```ts ignore
 * class Database extends TransactionManager<Kysely<Tables>> {
 *   readonly connection = inject(Kysely<Tables>);
 *   run<T>({ isolation }: TransactionSettings, work: (connection: Kysely<Tables>) => Promise<T>): Promise<T> {
 *     const transaction = this.connection.transaction();
 *     return (isolation ? transaction.setIsolationLevel(isolation) : transaction).execute(work);
 *   }
 * }
 * ```
 *
 * @typeParam C what runs statements
 */
export abstract class TransactionManager<C = unknown> {
  /** Runs statements outside of transactions. */
  abstract readonly connection: C;

  /**
   * Begins a transaction, calls `work` once with its connection, commits when `work` fulfils and rolls back when it
   * rejects. Fulfils only when the commit is certain; rejects with what `work` rejects with, or why it could not begin
   * or commit.
   */
  abstract run<T>(
    settings: TransactionSettings,
    work: (connection: C) => Promise<T>,
  ): Promise<T>;

  /**
   * Runs a statement without a result in a transaction: with it there are nested transactions, by savepoints, and a
   * commit of a transaction that the database has rolled back is found.
   */
  execute?(connection: C, sql: string): Promise<unknown>;

  /** Needed, with `query`, where the library keeps a table in the database: for scheduled tasks, jobs, idempotency keys. */
  readonly dialect?: Dialect;
  /**
   * Runs a statement with values in or outside of a transaction, and gives its rows. Placeholders are those of the
   * database: `$1` for PostgreSQL, `?` for others. Values are strings, numbers and `null`.
   */
  query?(
    connection: C,
    sql: string,
    values: readonly unknown[],
  ): Promise<readonly Readonly<Record<string, unknown>>[]>;

  /** Needed for jobs, beside `dialect`, `query` and `execute`: a pool of `pg` for the same database. */
  readonly pool?: object;

  /** Whether there is one connection for all, so that a transaction cannot wait for another: refuses `requires-new`. */
  readonly hasOneConnection?: boolean;
  /** Whether `run` itself finds that the database has rolled a transaction back. */
  readonly checksCommit?: boolean;
}

/** The SQL of a database; MariaDB counts as MySQL. */
export type Dialect = "postgresql" | "mysql" | "sqlite";

export type Managed = TransactionOptions & { readonly manager: TransactionManager };
