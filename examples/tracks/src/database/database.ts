import { Autowired, Component } from "irori";
import { AsyncLocalStorage } from "node:async_hooks";
import pg from "pg";
import { DatabaseUnavailable } from "./database_errors.ts";

/** Queries, each on a connection of its own or, within `transaction`, on that of the transaction. */
@Component()
export class Database {
  @Autowired(pg.Pool)
  private readonly pool!: pg.Pool;
  private readonly current = new AsyncLocalStorage<{ client?: pg.PoolClient }>();

  /** @returns the rows, with the names of the columns as keys */
  async query<Row extends object>(
    text: string,
    ...values: unknown[]
  ): Promise<Row[]> {
    const client = this.current.getStore()?.client;
    if (client) return (await client.query<Row>(text, values)).rows;
    const own = await this.connect();
    try {
      return (await own.query<Row>(text, values)).rows;
    } finally {
      own.release();
    }
  }

  /** All that `action` asks, or nothing of it; within another transaction it is part of that. */
  async transaction<T>(action: () => Promise<T>): Promise<T> {
    if (this.current.getStore()?.client) return await action();
    const client = await this.connect();
    let broken: Error | undefined;
    try {
      await client.query("BEGIN");
      const result = await this.within(client, action);
      // After a refused statement PostgreSQL answers COMMIT with ROLLBACK, and without an error.
      const { command } = await client.query("COMMIT");
      if (command !== "COMMIT") throw new Error("The transaction was undone: a query in it failed");
      return result;
    } catch (error) {
      await client.query("ROLLBACK").catch((cause) => broken = cause);
      throw error;
    } finally {
      client.release(broken); // With an error the pool closes it, and the transaction ends with it.
    }
  }

  private async within<T>(client: pg.PoolClient, action: () => Promise<T>): Promise<T> {
    const scope: { client?: pg.PoolClient } = { client };
    try {
      return await this.current.run(scope, action);
    } finally {
      // Work that continues, such as a stream or a promise that is not awaited, is still in this scope.
      scope.client = undefined;
    }
  }

  private connect(): Promise<pg.PoolClient> {
    return this.pool.connect().catch((cause) => {
      throw new DatabaseUnavailable("No connection to the database", { cause });
    });
  }
}
