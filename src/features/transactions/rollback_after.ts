import { currentScope, inScope, Transaction } from "./_transaction.ts";
import type { TransactionManager } from "./manager.ts";
import type { Work } from "./transactional.ts";

/**
 * Runs a test in a transaction and rolls it back at the end: the database is as before, and no table must be emptied.
 * Each transaction of the application in it is a savepoint, one after another; functions of `afterCommit()` run as if it
 * had been committed.
 *
 * ```ts ignore
 * await rollbackAfter(app.context.get(PgTransactions), async () => {
 *   assertEquals((await app.request("/notes/milk", { method: "PUT" })).status, 204);
 * });
 * ```
 *
 * It sees what runs in the asynchronous context of `work` by `current()`, as by `app.request()`. It does not see:
 *
 * - requests over the network (`listen()`), statements of the pool itself, and other processes
 * - what is checked at the commit, such as deferred constraints, or after the handler, such as `returns`
 * - `requires-new`, which is refused; isolation, `readOnly`, `timeout` and `retry` have no effect
 *
 * Sequences keep their values. On PostgreSQL, a statement that fails outside of the application's transactions ends the
 * test's one.
 *
 * @returns what `work` returns
 * @throws {unknown} what `work` throws
 * @throws {ConnectionUnavailableError} when there is no connection
 */
export async function rollbackAfter<T>(manager: TransactionManager, work: Work<T>): Promise<T> {
  const transaction = new Transaction(manager, undefined, undefined, true);
  const end = new Error("The test is over");
  let result: { readonly value: T };
  await manager.run({}, async (connection) => {
    transaction.begin(connection);
    try {
      result = { value: await inScope({ transaction, outer: currentScope() }, work) };
    } finally {
      transaction.isEnded = true;
    }
    throw end;
  }).catch((error) => {
    if (error !== end) throw error;
  });
  return result!.value;
}
