import { Statements } from "./_statements.ts";
import { TransactionManager } from "./manager.ts";
import type { TransactionSettings } from "./options.ts";

/** Options of the managers of drivers. */
export interface ManagerOptions {
  /** Seconds to wait for a connection. @default 5 */
  readonly acquireTimeout?: number;
}

/** A connection of a driver. @internal */
export interface Client {
  // deno-lint-ignore no-explicit-any -- overloaded by drivers
  query(...parameters: any[]): Promise<any>;
  release(isBroken?: boolean): void;
}

/** Runs a statement with a connection. @internal */
export type Run<D> = <T>(statement: (client: D) => Promise<T>) => Promise<T>;

/** Transactions of a driver, by statements. @internal */
export abstract class DriverTransactions<C, D extends Client> extends TransactionManager<C> {
  override readonly checksCommit = true;
  readonly connection: C = this.connectionBy((statement) => this.#alone(statement));

  async run<T>(settings: TransactionSettings, work: (connection: C) => Promise<T>): Promise<T> {
    const client = await this.connect();
    const statements = new Statements((error) => this.endsTransaction?.(error) === true);
    let isBroken = false;
    const breaking = () => void (isBroken = true);
    try {
      for (const sql of this.beginning(settings)) await client.query(sql);
      const connection = this.connectionBy((statement) =>
        statements.run(async () => {
          const result = await statement(client);
          this.requireTransaction?.(result);
          return result;
        })
      );
      const result = await work(connection);
      await statements.close();
      const answer = await client.query("COMMIT");
      this.requireCommitted?.(answer);
      return result;
    } catch (error) {
      await statements.abandon();
      await client.query("ROLLBACK").catch(breaking);
      throw error;
    } finally {
      for (const sql of this.resetting?.(settings) ?? []) await client.query(sql).catch(breaking);
      this.disconnect(client, isBroken);
    }
  }

  async #alone<T>(statement: (client: D) => Promise<T>): Promise<T> {
    const client = await this.connect();
    try {
      return await statement(client);
    } finally {
      this.disconnect(client, false);
    }
  }

  protected abstract connectionBy(run: Run<D>): C;
  protected abstract connect(): Promise<D>;
  protected abstract disconnect(client: D, isBroken: boolean): void;
  protected abstract beginning(settings: TransactionSettings): string[];

  /** @returns statements that restore the session */
  protected resetting?(settings: TransactionSettings): string[];
  /** @throws {TransactionRolledBackError} */
  protected requireCommitted?(answer: unknown): void;
  /** Looks at the result of a statement. @throws {TransactionError} when it has ended the transaction */
  protected requireTransaction?(result: unknown): void;
  /** Whether the database rolls back when a statement fails so. */
  protected endsTransaction?(error: unknown): boolean;
}
