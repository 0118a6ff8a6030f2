import { Statements } from "./_statements.ts";
import { TransactionManager } from "./manager.ts";
import type { TransactionSettings } from "./options.ts";

/** Options of the managers of drivers. */
export interface ManagerOptions {
  /** Seconds to wait for a connection. @default 5 */
  readonly acquireTimeout?: number;
}

/** @internal */
export interface Client {
  // deno-lint-ignore no-explicit-any -- overloaded by drivers
  query(...parameters: any[]): Promise<any>;
  release(isBroken?: boolean): void;
}

type Rows = readonly Readonly<Record<string, unknown>>[];
type Run<D> = <T>(statement: (client: D) => Promise<T>) => Promise<T>;

/** What differs between drivers, whose clients are of the type `D`. */
export interface Driver<C, D extends Client> {
  connect(manager: TransactionManager): Promise<D>;
  disconnect(client: D, isBroken: boolean): void;
  connectionBy(run: Run<D>): C;
  execute(connection: C, sql: string): Promise<unknown>;
  query(connection: C, sql: string, values: readonly unknown[]): Promise<Rows>;
  beginning(settings: TransactionSettings): string[];
  /** @returns statements that restore the session */
  resetting?(settings: TransactionSettings): string[];
  /** @throws {TransactionRolledBackError} */
  requireCommitted?(answer: unknown): void;
  /** Looks at the result of a statement. @throws {TransactionError} when it has ended the transaction */
  requireTransaction?(result: unknown): void;
  /** Whether the database rolls back when a statement fails so. */
  endsTransaction?(error: unknown): boolean;
}

/**
 * Transactions of a driver, by statements.
 *
 * @internal
 */
export abstract class DriverTransactions<C, D extends Client> extends TransactionManager<C> {
  override readonly checksCommit = true;
  readonly connection: C;
  readonly #driver: Driver<C, D>;

  constructor(driver: Driver<C, D>) {
    super();
    this.#driver = driver;
    this.connection = driver.connectionBy(async (statement) => {
      const client = await driver.connect(this);
      return await statement(client).finally(() => driver.disconnect(client, false));
    });
  }

  async run<T>(settings: TransactionSettings, work: (connection: C) => Promise<T>): Promise<T> {
    const driver = this.#driver;
    const client = await driver.connect(this);
    const statements = new Statements((error) => driver.endsTransaction?.(error) === true);
    let isBroken = false;
    const breaking = () => void (isBroken = true);
    try {
      for (const sql of driver.beginning(settings)) await client.query(sql);
      const connection = driver.connectionBy((statement) =>
        statements.run(async () => {
          const result = await statement(client);
          driver.requireTransaction?.(result);
          return result;
        })
      );
      const result = await work(connection);
      await statements.close();
      const answer = await client.query("COMMIT");
      driver.requireCommitted?.(answer);
      return result;
    } catch (error) {
      await statements.abandon();
      await client.query("ROLLBACK").catch(breaking);
      throw error;
    } finally {
      for (const sql of driver.resetting?.(settings) ?? []) await client.query(sql).catch(breaking);
      driver.disconnect(client, isBroken);
    }
  }

  override execute(connection: C, sql: string): Promise<unknown> {
    return this.#driver.execute(connection, sql);
  }

  override query(connection: C, sql: string, values: readonly unknown[]): Promise<Rows> {
    return this.#driver.query(connection, sql, values);
  }
}
