import { errorOf } from "../../text/mod.ts";
import {
  callAll,
  type Callback,
  currentScope,
  inScope,
  Transaction,
  transactionOf,
} from "./_transaction.ts";
import {
  ConnectionUnavailableError,
  rolledBack,
  TransactionError,
  TransactionOutcomeUnknownError,
  TransactionTimeoutError,
} from "./errors.ts";
import type { Managed, TransactionManager } from "./manager.ts";
import { checkOptions, type TransactionOptions } from "./options.ts";
import { isRefusal, retriesOf } from "./outcome.ts";

/** @internal */
export type Work<T> = () => T | PromiseLike<T>;

/**
 * Runs `work` in a transaction: commits when it fulfils, and rolls back when it rejects. Statements of
 * {@linkcode current} belong to it. A call that rejects has committed nothing, except with a
 * {@linkcode TransactionOutcomeUnknownError}.
 *
 * ```ts ignore
 * await transactional({ manager: this.database, isolation: "serializable", retry: 3 }, async () => {
 *   await this.accounts.withdraw(from, amount);
 *   await this.accounts.deposit(to, amount);
 * });
 * ```
 *
 * @throws {ConnectionUnavailableError} when there is no connection
 * @throws {TransactionRolledBackError} when `work` has caught the error of a method that took part, or of a statement
 * @throws {TransactionTimeoutError} when it takes longer than `timeout`
 * @throws {TransactionOutcomeUnknownError} when the answer to `COMMIT` was lost
 * @throws {TransactionError} in a transaction that has ended, or in which a nested one is open
 */
export async function transactional<T>(
  options: TransactionOptions & { readonly manager: TransactionManager },
  work: Work<T>,
): Promise<T> {
  const open = openFor(options);
  if (open) {
    return await (isNested(open, options) ? nest(open, work) : join(open, work, undefined, []));
  }
  checkOptions(options);
  return await begin(options, work);
}

/** Whether a call in an open transaction has a savepoint of its own. */
export function isNested(open: Transaction, { propagation }: TransactionOptions): boolean {
  return propagation === "nested" || open.isTest;
}

export function openFor({ manager, propagation }: Managed): Transaction | undefined {
  return propagation === "requires-new" ? undefined : transactionOf(manager);
}

/** Runs a method in an open transaction. No function is made on the way: it is called often. */
export function join<A extends unknown[], T>(
  open: Transaction,
  method: (...parameters: A) => T | PromiseLike<T>,
  bean: unknown,
  parameters: A,
): Promise<T> {
  try {
    open.requireOpen();
    const result = Promise.resolve(method.apply(bean, parameters));
    result.then(undefined, open.fail);
    return result;
  } catch (error) {
    open.fail(error);
    return Promise.reject(error);
  }
}

/** @param mayRepeat whether nothing that `work` has used up keeps it from running again */
export async function begin<T>(
  options: Managed,
  work: Work<T>,
  mayRepeat?: () => boolean,
): Promise<T> {
  refuseNew(options);
  const outer = currentScope();
  return await retriesOf(outer, options, mayRepeat)(() => {
    const transaction = new Transaction(options.manager, options.timeout);
    return run(transaction, options, () => inScope({ transaction, outer }, work));
  });
}

/** @throws {TransactionError} where a second transaction would wait for the first for ever */
export function refuseNew({ manager, propagation }: Managed): void {
  if (propagation !== "requires-new" || !manager.hasOneConnection) return;
  throw new TransactionError(
    'Cannot use the propagation "requires-new": the database has one connection, which the transaction around it ' +
      'holds; use "nested", or afterCommit()',
  );
}

export async function run<T>(
  transaction: Transaction,
  { manager, isolation, readOnly, timeout, first }: Managed,
  work: Work<T>,
): Promise<T> {
  if (isInTest(transactionOf(manager))) {
    throw new TransactionError(
      'Cannot use the propagation "requires-new" in rollbackAfter(): another connection does not see what the test has ' +
        "written; use databaseForTest()",
    );
  }
  let isDone = false;
  let failure: unknown; // The error may belong to another transaction within the work.
  let result: T;
  try {
    result = await manager.run({ isolation, readOnly, timeout, first }, async (connection) => {
      transaction.begin(connection);
      const result = await finished(transaction, work).catch((error) => {
        throw failure = error;
      });
      isDone = true;
      return result;
    });
  } catch (error) {
    transaction.isEnded = true;
    if (error !== failure && error instanceof TransactionOutcomeUnknownError) throw error;
    if (isDone && !isRefusal(error)) {
      const message =
        "The transaction may be committed or rolled back: the answer to COMMIT was lost";
      throw new TransactionOutcomeUnknownError(message, { cause: error });
    }
    if (!transaction.connection && !(error instanceof TransactionError) && !isRefusal(error)) {
      const message = `Cannot get a connection to the database: ${errorOf(error).message}`;
      throw new ConnectionUnavailableError(message, { cause: error });
    }
    await callAll(transaction.afterRollback);
    if (isDone || !transaction.isLate || error instanceof TransactionTimeoutError) throw error;
    throw transaction.tookTooLong(error);
  }
  await callAll(transaction.commits);
  return result;
}

function isInTest(open: Transaction | undefined): boolean {
  return open !== undefined && (open.isTest || isInTest(open.parent));
}

/** @throws {TransactionError} when the transaction must not be committed though `work` has succeeded */
async function finished<T>(transaction: Transaction, work: Work<T>): Promise<T> {
  const { manager, connection } = transaction;
  const execute = manager.checksCommit ? undefined : manager.execute?.bind(manager, connection);
  await execute?.("SAVEPOINT irori");
  try {
    const result = await work();
    requireCommittable(transaction);
    // Gone if the database has rolled back, or ended it, meanwhile.
    await execute?.("RELEASE SAVEPOINT irori").catch((cause) => {
      throw rolledBack("a statement in it failed or ended it, and the error was caught", cause);
    });
    return result;
  } finally {
    transaction.isEnded = true;
  }
}

function requireCommittable(transaction: Transaction): void {
  transaction.requireOpen();
  const { failure } = transaction;
  if (failure === undefined) return;
  throw rolledBack("a method that took part in it failed, and its error was caught", failure);
}

export async function nest<T>(parent: Transaction, work: Work<T>): Promise<T> {
  if (!parent.isTest) return await atSavepoint(parent, work);
  try {
    return await atSavepoint(parent, work);
  } finally { // As if it had been committed or rolled back.
    await callAll(parent.commits.splice(0));
  }
}

async function atSavepoint<T>(parent: Transaction, work: Work<T>): Promise<T> {
  parent.requireOpen();
  const { manager, connection } = parent;
  if (manager.execute === undefined) {
    throw new TransactionError(
      'Cannot use the propagation "nested": the transaction manager has no execute(), which sets savepoints',
    );
  }
  const child = parent.child = new Transaction(manager, parent.timeout, parent);
  const execute = (sql: string) => manager.execute!(connection, `${sql} irori_${child.depth}`);
  try {
    await execute("SAVEPOINT");
    const result = await inScope({ transaction: child, outer: currentScope() }, work);
    requireCommittable(child);
    child.isEnded = true;
    await execute("RELEASE SAVEPOINT");
    parent.commits.push(...child.commits);
    parent.rollbacks.push(...child.rollbacks);
    return result;
  } catch (error) {
    child.isEnded = true;
    if (!parent.isOver) { // Otherwise it was rolled back already.
      await execute("ROLLBACK TO SAVEPOINT").then(() => execute("RELEASE SAVEPOINT"))
        .catch(() => parent.fail(error));
    }
    const { afterRollback } = child;
    for (const callbacks of [parent.commits, parent.rollbacks]) callbacks.push(...afterRollback);
    throw error;
  } finally {
    parent.child = undefined;
  }
}

/**
 * Runs a function when the innermost open transaction is committed, outside of it; a nested transaction counts as
 * committed when the one around it is. What the function throws is logged and changes nothing.
 *
 * @throws {TransactionError} outside of a transaction
 */
export function afterCommit(callback: Callback): void {
  innermost("afterCommit").commits.push(callback);
}

/**
 * Runs a function when the innermost open transaction is rolled back, outside of it. It does not run when the outcome is
 * unknown. What the function throws is logged and changes nothing.
 *
 * @throws {TransactionError} outside of a transaction
 */
export function afterRollback(callback: Callback): void {
  innermost("afterRollback").rollbacks.push(callback);
}

function innermost(name: string): Transaction {
  let scope = currentScope();
  while (scope && !scope.transaction) scope = scope.outer;
  if (!scope?.transaction || scope.transaction.isTest) {
    throw new TransactionError(`Cannot use ${name}(): no transaction is open`);
  }
  scope.transaction.requireOpen();
  return scope.transaction;
}

/**
 * The connection for the next statement: that of the innermost open transaction of the manager, or one outside of
 * transactions. Call it for each statement.
 *
 * ```ts ignore
 * const { rows } = await current(this.database).query("SELECT name FROM users WHERE id = $1", [id]);
 * ```
 *
 * @throws {TransactionError} in a transaction that has ended, or in which a nested one is open
 * @throws {TransactionTimeoutError} when the transaction has taken longer than its `timeout`
 */
export function current<C>(manager: TransactionManager<C>): C {
  const transaction = transactionOf(manager);
  if (transaction === undefined) return manager.connection;
  transaction.requireOpen();
  return transaction.connection as C;
}
