import { Autowired, Component } from "irori";
import { AsyncLocalStorage } from "node:async_hooks";
import pg from "pg";
import { DatabaseUnavailable } from "./database_errors.ts";

/** Queries, each on a connection of its own or, within `transaction`, on that of the transaction. */
@Component()
export class Database {
  @Autowired(pg.Pool)
  private readonly pool!: pg.Pool;
  private readonly current = new AsyncLocalStorage<pg.PoolClient>();

  /** @returns the rows, with the names of the columns as keys */
  async query<Row extends object>(
    text: string,
    ...values: unknown[]
  ): Promise<Row[]> {
    const client = this.current.getStore();
    if (client) return (await client.query<Row>(text, values)).rows;
    return await this.withClient(async (client) => (await client.query<Row>(text, values)).rows);
  }

  /** All that `action` asks, or nothing of it; within another transaction it is part of that. */
  async transaction<T>(action: () => Promise<T>): Promise<T> {
    if (this.current.getStore()) return await action();
    return await this.withClient(async (client) => {
      await client.query("BEGIN");
      try {
        const result = await this.current.run(client, action);
        await client.query("COMMIT");
        return result;
      } catch (error) {
        // It fails where the connection is lost, which undoes everything too.
        await client.query("ROLLBACK").catch(() => {});
        throw error;
      }
    });
  }

  private async withClient<T>(
    action: (client: pg.PoolClient) => Promise<T>,
  ): Promise<T> {
    const client = await this.pool.connect().catch((cause) => {
      throw new DatabaseUnavailable("No connection to the database", { cause });
    });
    try {
      return await action(client);
    } finally {
      client.release();
    }
  }
}
