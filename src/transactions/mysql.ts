import { connectionOf, type ManagerOptions } from "./_pool.ts";
import { Statements } from "./_statements.ts";
import { rolledBack, TransactionError } from "./errors.ts";
import { TransactionManager } from "./manager.ts";
import type { TransactionSettings } from "./options.ts";
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

/** A connection of a pool. @internal */
export interface MysqlClient {
  // deno-lint-ignore no-explicit-any -- overloaded by the driver
  query(sql: any, values?: any): Promise<[any, any]>;
  // deno-lint-ignore no-explicit-any -- overloaded by the driver
  execute(sql: any, values?: any): Promise<[any, any]>;
  release(): void;
  destroy(): void;
}

/** A pool of `mysql2/promise`. @internal */
export interface MysqlPool {
  getConnection(): Promise<MysqlClient>;
}

/**
 * Transactions of MySQL and MariaDB on a pool of `mysql2/promise`.
 *
 * ```ts ignore
 * @Bean({ type: MysqlTransactions })
 * transactions() { return new MysqlTransactions(inject<mysql.Pool>("pool")); }
 * ```
 */
export class MysqlTransactions extends TransactionManager<MysqlConnection> {
  override readonly checksCommit = true;
  readonly connection: MysqlConnection = {
    query: (sql, values) => this.#alone((client) => client.query(sql, values)),
    execute: (sql, values) => this.#alone((client) => client.execute(sql, values)),
  };

  constructor(readonly pool: MysqlPool, readonly options: ManagerOptions = {}) {
    super();
  }

  async run<T>(
    settings: TransactionSettings,
    work: (connection: MysqlConnection) => Promise<T>,
  ): Promise<T> {
    const client = await this.#connect();
    const open = new OpenTransaction(client);
    let isBroken = false;
    try {
      for (const statement of beginning(settings)) await client.query(statement);
      const result = await work(open);
      await open.close();
      await client.query("COMMIT");
      return result;
    } catch (error) {
      await open.abandon();
      await client.query("ROLLBACK").catch(() => isBroken = true);
      throw error;
    } finally {
      if (settings.timeout && !isBroken) {
        await client.query(LIMIT_AS_BEFORE).catch(() => isBroken = true);
      }
      if (isBroken) client.destroy();
      else client.release();
    }
  }

  override execute(connection: MysqlConnection, sql: string): Promise<unknown> {
    return connection.query(sql);
  }

  async #alone<T>(action: (client: MysqlClient) => Promise<T>): Promise<T> {
    const client = await this.#connect();
    try {
      return await action(client);
    } finally {
      client.release();
    }
  }

  #connect(): Promise<MysqlClient> {
    const { pool, options } = this;
    return connectionOf(pool.getConnection(), this, options, sizeOf(pool));
  }
}

/** Refuses statements after the server has ended the transaction: they would be committed one by one. */
class OpenTransaction extends Statements implements MysqlConnection {
  #end?: TransactionError;

  constructor(readonly client: MysqlClient) {
    super();
  }

  // deno-lint-ignore no-explicit-any -- as the driver has it
  query(sql: string, values?: unknown): Promise<any> {
    return this.run(() => this.#check(() => this.client.query(sql, values)));
  }

  // deno-lint-ignore no-explicit-any -- as the driver has it
  execute(sql: string, values?: unknown): Promise<any> {
    return this.run(() => this.#check(() => this.client.execute(sql, values)));
  }

  override async close(): Promise<void> {
    await super.close();
    if (this.#end) throw this.#end;
  }

  async #check<T extends readonly unknown[]>(statement: () => Promise<T>): Promise<T> {
    if (this.#end) throw this.#end;
    const result = await statement().catch((error) => {
      if (endsTransaction(error)) {
        this.#end = rolledBack("the database rolls back after this error, which was caught", error);
      }
      throw error;
    });
    const { serverStatus } = Object(result[0]) as { readonly serverStatus?: number };
    if (serverStatus !== undefined && (serverStatus & IN_TRANSACTION) === 0) {
      throw this.#end = new TransactionError(
        "A statement has committed the transaction, as MySQL does before CREATE, ALTER and the like: run it outside",
      );
    }
    return result;
  }
}

const IN_TRANSACTION = 1;

/** Deadlocks, lock wait timeouts (as `innodb_rollback_on_timeout` says), changed records, full lock tables. */
function endsTransaction({ errno, sqlState }: { errno?: number; sqlState?: string }): boolean {
  return `${sqlState}`.startsWith("40") || [LOCK_WAIT_TIMEOUT, 1020, 1206].includes(errno ?? 0);
}

function beginning({ isolation, readOnly, timeout }: TransactionSettings): string[] {
  return [
    timeout && limitOf(timeout),
    isolation && `SET TRANSACTION ISOLATION LEVEL ${isolation}`,
    readOnly ? "START TRANSACTION READ ONLY" : "START TRANSACTION",
  ].filter((statement) => typeof statement === "string");
}

/** MariaDB reads the first comment, in seconds, and MySQL, for SELECT alone, the second. */
function limitOf(seconds: number): string {
  return `SET /*M! @irori_limit = @@max_statement_time, max_statement_time = ${seconds} */` +
    `/*!50708 @irori_limit = @@max_execution_time, max_execution_time = ${
      Math.ceil(seconds * 1000)
    } */`;
}

const LIMIT_AS_BEFORE =
  "SET /*M! max_statement_time = @irori_limit *//*!50708 max_execution_time = @irori_limit */";

function sizeOf(pool: object): number | undefined {
  const { pool: inner } = pool as {
    readonly pool?: { readonly config?: { connectionLimit?: number } };
  };
  return inner?.config?.connectionLimit;
}
