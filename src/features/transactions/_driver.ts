import { rolledBack, TransactionError, TransactionOutcomeUnknownError } from "./errors.ts";
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
  on?(event: "error", listener: (error: unknown) => void): unknown;
  off?(event: "error", listener: (error: unknown) => void): unknown;
  release(isBroken?: boolean): void;
}

type Rows = readonly Readonly<Record<string, unknown>>[];
type Run<D> = <T>(statement: (client: D) => Promise<T>) => Promise<T>;

/** The differences between drivers, whose clients are of the type `D`. */
interface Driver<C, D extends Client> {
  connect(manager: TransactionManager): Promise<D>;
  disconnect(client: D, isBroken: boolean): void;
  connectionBy(run: Run<D>): C;
  execute(connection: C, sql: string): Promise<unknown>;
  query(connection: C, sql: string, values: readonly unknown[]): Promise<Rows>;
  beginning(settings: TransactionSettings): string[];
  /** @returns statements that restore the session */
  resetting?(settings: TransactionSettings): string[];
  requireCommitted?(answer: unknown): void;
  isEndedBy?(result: unknown, client: D): boolean;
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

  constructor(private readonly driver: Driver<C, D>) {
    super();
    this.connection = driver.connectionBy(async (statement) => {
      const client = await driver.connect(this);
      return await statement(client).finally(() => driver.disconnect(client, false));
    });
  }

  async run<T>(settings: TransactionSettings, work: (connection: C) => Promise<T>): Promise<T> {
    const driver = this.driver;
    const client = await driver.connect(this);
    const statements = new Statements((error) => driver.endsTransaction?.(error) === true);
    let isBroken = false;
    let broken: unknown;
    const breaking = (error: unknown) => void ([isBroken, broken] = [true, error]);
    let hasEnded = false;
    client.on?.("error", breaking); // The connection is lost.
    try {
      for (const sql of driver.beginning(settings)) await client.query(sql);
      const connection = driver.connectionBy((statement) =>
        statements.run(async () => {
          const result = await statement(client);
          if (!driver.isEndedBy?.(result, client)) return result;
          hasEnded = isBroken = true; // A session that may hold more, such as LOCK TABLES.
          throw new TransactionError(ENDED);
        })
      );
      const result = await work(connection);
      await statements.close();
      if (isBroken) throw rolledBack("its connection was lost before COMMIT", broken);
      const answer = await client.query("COMMIT");
      driver.requireCommitted?.(answer);
      return result;
    } catch (error) {
      await statements.abandon();
      await client.query("ROLLBACK").catch(breaking);
      throw hasEnded ? new TransactionOutcomeUnknownError(ENDED, { cause: error }) : error;
    } finally {
      client.off?.("error", breaking);
      for (const sql of driver.resetting?.(settings) ?? []) await client.query(sql).catch(breaking);
      driver.disconnect(client, isBroken);
    }
  }

  override execute(connection: C, sql: string): Promise<unknown> {
    return this.driver.execute(connection, sql);
  }

  override query(connection: C, sql: string, values: readonly unknown[]): Promise<Rows> {
    return this.driver.query(connection, sql, values);
  }
}

const ENDED =
  "A statement has ended the transaction, such as COMMIT, or on MySQL CREATE, ALTER and the like: run it outside";

/** Runs the statements of one transaction one after another. */
export class Statements {
  #last: Promise<unknown> = Promise.resolve();
  readonly #pending = new Set<Promise<unknown>>();
  #isClosed = false;
  #end?: TransactionError;

  /** @param endsTransaction whether the database rolls back when a statement fails so: what follows would be committed */
  constructor(readonly endsTransaction: (error: unknown) => boolean) {}

  run<T>(statement: () => Promise<T>): Promise<T> {
    if (this.#isClosed) {
      return Promise.reject(
        new TransactionError("Cannot run a statement: its transaction has ended"),
      );
    }
    const next = async () => {
      if (this.#end) throw this.#end;
      return await statement().catch((error) => this.#failed(error));
    };
    const result = this.#last.then(next, next);
    this.#last = result;
    this.#pending.add(result);
    const done = () => void this.#pending.delete(result);
    result.then(done, done);
    return result;
  }

  #failed(error: unknown): never {
    if (error instanceof TransactionError) this.#end = error;
    else if (this.endsTransaction(error)) {
      this.#end = rolledBack("the database rolls back after this error, which was caught", error);
    }
    throw error;
  }

  /** Waits for statements that were not awaited. @throws {TransactionError} when nothing must be committed */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#pending).catch((cause) => {
      throw rolledBack("a statement in it failed that was not awaited", cause);
    });
    if (this.#end) throw this.#end;
  }

  async abandon(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#pending);
  }
}
