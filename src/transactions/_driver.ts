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
    const statements = new Statements((error) => this.endsTransaction(error));
    let isBroken = false;
    const breaking = () => void (isBroken = true);
    try {
      for (const sql of this.beginning(settings)) await client.query(sql);
      const connection = this.connectionBy((statement) => {
        return statements.run(async () => this.checked(await statement(client)));
      });
      const result = await work(connection);
      await statements.close();
      this.requireCommitted(await client.query("COMMIT"));
      return result;
    } catch (error) {
      await statements.abandon();
      await client.query("ROLLBACK").catch(breaking);
      throw error;
    } finally {
      for (const sql of this.resetting(settings)) await client.query(sql).catch(breaking);
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

  protected resetting(_: TransactionSettings): string[] {
    return [];
  }

  /** @throws {TransactionRolledBackError} */
  protected requireCommitted(_answer: unknown): void {}

  /** The result of a statement in a transaction. @throws {TransactionError} when that has ended the transaction */
  protected checked<T>(result: T): T {
    return result;
  }

  protected endsTransaction(_error: unknown): boolean {
    return false;
  }
}
