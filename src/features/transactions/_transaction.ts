import { type AsyncStorage, asyncStorage } from "../../runtime/web.ts";
import { TransactionError, TransactionTimeoutError } from "./errors.ts";
import type { TransactionManager } from "./manager.ts";

/** @internal */
export type Callback = () => unknown;

/** Where code runs: in a transaction, and in those around it. */
export interface Scope {
  readonly transaction?: Transaction;
  readonly outer?: Scope;
}

let scopes: AsyncStorage<Scope> | undefined;

/** @throws {TransactionError} where the runtime has no `AsyncLocalStorage` */
export function inScope<R>(scope: Scope, action: () => R): R {
  scopes ??= asyncStorage();
  if (scopes) return scopes.run(scope, action);
  throw new TransactionError(
    "Cannot run a transaction: the runtime has no AsyncLocalStorage (Cloudflare Workers: 'nodejs_compat')",
  );
}

export function currentScope(): Scope | undefined {
  return scopes?.getStore();
}

/** The innermost transaction of a manager, also one that has ended. */
export function transactionOf(manager: TransactionManager): Transaction | undefined {
  let scope = currentScope();
  while (scope !== undefined && scope.transaction?.manager !== manager) scope = scope.outer;
  return scope?.transaction;
}

/** How many transactions of a manager are open around the caller, each with a connection of its own. */
export function depthOf(manager: TransactionManager): number {
  let depth = 0;
  for (let scope = currentScope(); scope !== undefined; scope = scope.outer) {
    const { transaction } = scope;
    if (transaction?.manager === manager && transaction.parent === undefined) depth++;
  }
  return depth;
}

/** A transaction of a database or, with a parent, what follows a savepoint. */
export class Transaction {
  connection: unknown;
  isEnded = false;
  /** Why it must not be committed: a method that took part in it has failed. */
  failure: unknown;
  child: Transaction | undefined;
  readonly commits: Callback[] = [];
  readonly rollbacks: Callback[] = [];
  readonly depth: number;
  #deadline: number | undefined;

  constructor(
    readonly manager: TransactionManager,
    readonly timeout?: number,
    readonly parent?: Transaction,
    /** Whether it stands for the database itself, as all is rolled back at the end of a test. */
    readonly isTest = false,
  ) {
    this.depth = parent ? parent.depth + 1 : 0;
    this.#deadline = parent && parent.#deadline;
    this.connection = parent?.connection;
  }

  begin(connection: unknown): void {
    this.connection = connection;
    if (this.timeout) this.#deadline = performance.now() + this.timeout * 1000;
  }

  /** Bound, so that joining makes no function. */
  readonly fail = (error: unknown): void => {
    this.failure ??= error ?? new TransactionError("A method of the transaction has failed");
  };

  get isOver(): boolean {
    return this.isEnded || this.parent?.isOver === true;
  }

  /** Functions that a rollback calls, also for a nested transaction that was not awaited. */
  get afterRollback(): Callback[] {
    return [...this.rollbacks, ...this.child?.afterRollback ?? []];
  }

  get isLate(): boolean {
    return this.#deadline !== undefined && performance.now() >= this.#deadline;
  }

  /** @throws {TransactionError} unless statements of the caller belong to it now */
  requireOpen(): void {
    const refuse = (reason: string) => {
      throw new TransactionError(`Cannot use a transaction ${reason}`);
    };
    if (this.isOver) refuse("that has ended: await all work in it, or start it in afterCommit()");
    if (this.child) refuse("while a nested one is open in it: await the nested one first");
    if (this.isLate) throw this.tookTooLong();
  }

  tookTooLong(cause?: unknown): TransactionTimeoutError {
    const message = `The transaction took longer than its timeout of ${this.timeout} s`;
    return new TransactionTimeoutError(message, { cause });
  }
}

/** Errors of callbacks change no outcome: the transaction has ended. */
export async function callAll(callbacks: readonly Callback[]): Promise<void> {
  for (const callback of callbacks) {
    try {
      await callback();
    } catch (error) {
      console.error("A function that ran after a transaction failed", error);
    }
  }
}
