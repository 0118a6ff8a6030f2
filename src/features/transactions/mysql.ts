import { connectionOf } from "./_connections.ts";
import { type Client, DriverTransactions, type ManagerOptions } from "./_driver.ts";
import { LOCK_WAIT_TIMEOUT } from "./outcome.ts";

/** Runs statements of MySQL and MariaDB, as a connection of `mysql2/promise` does. */
export interface MysqlConnection {
  /** Runs a text, with values that the driver writes into it. */
  // deno-lint-ignore no-explicit-any -- as the driver has it: rows, or what a change did
  query<Result = any>(sql: string, values?: unknown): Promise<[Result, unknown]>;
  /** Runs a prepared statement. */
  // deno-lint-ignore no-explicit-any -- as the driver has it: rows, or what a change did
  execute<Result = any>(sql: string, values?: unknown): Promise<[Result, unknown]>;
}

/** @internal */
interface MysqlClient extends Client {
  execute: Client["query"];
  destroy(): void;
}

/** @internal */
interface MysqlPool {
  getConnection(): Promise<MysqlClient>;
  readonly pool: { readonly config?: unknown };
}

/**
 * Transactions of MySQL and MariaDB on a pool of `mysql2/promise`.
 *
 * ```ts ignore
 * @Bean({ type: MysqlTransactions })
 * transactions() { return new MysqlTransactions(inject<mysql.Pool>("pool")); }
 * ```
 */
export class MysqlTransactions extends DriverTransactions<MysqlConnection, MysqlClient> {
  override readonly dialect = "mysql";

  constructor(override readonly pool: MysqlPool, { acquireTimeout }: ManagerOptions = {}) {
    const { connectionLimit } = Object(pool.pool.config);
    super({
      connect: (manager) =>
        connectionOf(pool.getConnection(), manager, acquireTimeout, connectionLimit),
      disconnect(client, isBroken) {
        if (isBroken) client.destroy();
        else client.release();
      },
      connectionBy: (run) => ({
        query: (sql, values) => run((client) => client.query(sql, values)),
        execute: (sql, values) => run((client) => client.execute(sql, values)),
      }),
      execute: (connection, sql) => connection.query(sql),
      async query(connection, sql, values) {
        const [rows] = await connection.query(sql, values);
        return Array.isArray(rows) ? rows : [];
      },
      beginning: ({ isolation, readOnly, timeout }) => [
        ...timeout ? [limitOf(timeout)] : [],
        ...isolation ? [`SET TRANSACTION ISOLATION LEVEL ${isolation}`] : [],
        readOnly ? "START TRANSACTION READ ONLY" : "START TRANSACTION",
      ],
      resetting: ({ timeout }) => timeout ? [LIMIT_AS_BEFORE] : [],
      isEndedBy(result) {
        const { serverStatus = IN_TRANSACTION } = Object((result as readonly unknown[])[0]);
        return (serverStatus & IN_TRANSACTION) === 0;
      },
      // Deadlocks, lock wait timeouts (as innodb_rollback_on_timeout says), changed records, full lock tables.
      endsTransaction(error) {
        const { errno, sqlState } = Object(error);
        return /^40/.test(`${sqlState}`) || [LOCK_WAIT_TIMEOUT, 1020, 1206].includes(errno);
      },
    });
  }
}

const IN_TRANSACTION = 1;

/** MariaDB reads the first comment, in seconds, and MySQL, for SELECT alone, the second. */
function limitOf(seconds: number): string {
  const milliseconds = Math.ceil(seconds * 1000);
  return `SET /*M! @irori_limit = @@max_statement_time, max_statement_time = ${seconds} */` +
    `/*!50708 @irori_limit = @@max_execution_time, max_execution_time = ${milliseconds} */`;
}

const LIMIT_AS_BEFORE =
  "SET /*M! max_statement_time = @irori_limit *//*!50708 max_execution_time = @irori_limit */";
