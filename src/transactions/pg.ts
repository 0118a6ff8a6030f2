import { connectionOf, type ManagerOptions } from "./_pool.ts";
import { Statements } from "./_statements.ts";
import { rolledBack } from "./errors.ts";
import { TransactionManager } from "./manager.ts";
import type { TransactionSettings } from "./options.ts";

/** Runs statements of PostgreSQL, as a client of `pg` does. */
export interface PgConnection {
  /** Runs a text with values, or a query such as `{ text, values, name }`. */
  // deno-lint-ignore no-explicit-any -- as the driver has it: what a column holds is not known
  query<Row extends object = any>(
    query: string | { readonly text: string },
    values?: readonly unknown[],
  ): Promise<PgResult<Row>>;
}

/** What a statement of PostgreSQL gives. */
export interface PgResult<Row> {
  /** Its rows. */
  readonly rows: Row[];
  /** How many rows it read or changed. */
  readonly rowCount: number | null;
  /** Its first word. */
  readonly command: string;
}

/** A client of a pool. @internal */
export interface PgClient {
  // deno-lint-ignore no-explicit-any -- overloaded by the driver
  query(query: any, values?: any): Promise<any>;
  // deno-lint-ignore no-explicit-any -- overloaded by the driver
  on(event: "error", listener: (error: any) => void): unknown;
  // deno-lint-ignore no-explicit-any -- overloaded by the driver
  off(event: "error", listener: (error: any) => void): unknown;
  release(destroy?: boolean): void;
}

/** A pool of `pg`. @internal */
export interface PgPool {
  connect(): Promise<PgClient>;
  readonly options?: { readonly max?: number };
}

/**
 * Transactions of PostgreSQL on a `Pool` of `pg` or `@neondatabase/serverless`.
 *
 * ```ts ignore
 * @Bean({ type: PgTransactions })
 * transactions() { return new PgTransactions(inject(pg.Pool)); }
 * ```
 */
export class PgTransactions extends TransactionManager<PgConnection> {
  override readonly checksCommit = true;
  readonly connection: PgConnection = {
    query: async (query, values) => {
      const client = await this.#connect();
      try {
        return await client.query(query, values);
      } finally {
        client.off("error", ignore);
        client.release();
      }
    },
  };

  constructor(readonly pool: PgPool, readonly options: ManagerOptions = {}) {
    super();
  }

  async run<T>(
    settings: TransactionSettings,
    work: (connection: PgConnection) => Promise<T>,
  ): Promise<T> {
    const client = await this.#connect();
    const statements = new Statements();
    let isBroken = false;
    try {
      await client.query(beginning(settings));
      const result = await work({
        query: (query, values) => statements.run(() => client.query(query, values)),
      });
      await statements.close();
      // Answered by ROLLBACK after a statement has failed.
      const { command } = await client.query("COMMIT");
      if (command === "COMMIT") return result;
      throw rolledBack("a statement in it failed, and its error was caught");
    } catch (error) {
      await statements.abandon();
      await client.query("ROLLBACK").catch(() => isBroken = true);
      throw error;
    } finally {
      if (!isBroken) client.off("error", ignore);
      client.release(isBroken);
    }
  }

  override execute(connection: PgConnection, sql: string): Promise<unknown> {
    return connection.query(sql);
  }

  async #connect(): Promise<PgClient> {
    const { pool, options } = this;
    const client = await connectionOf(pool.connect(), this, options, pool.options?.max);
    client.on("error", ignore);
    return client;
  }
}

/** A connection that is lost emits this beside the failure of its statement; without a listener it ends the process. */
function ignore(): void {}

function beginning({ isolation, readOnly, timeout }: TransactionSettings): string {
  const begin = [
    "BEGIN",
    isolation && `ISOLATION LEVEL ${isolation}`,
    readOnly && "READ ONLY",
  ].filter(Boolean).join(" ");
  return timeout ? `${begin}; SET LOCAL statement_timeout = ${Math.ceil(timeout * 1000)}` : begin;
}
