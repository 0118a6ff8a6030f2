import { appliedRow, type ApplyContext } from "./apply_context.ts";
import { DatabaseError } from "./errors.ts";
import { fileFailure } from "./failure.ts";
import { type Row, saveRow } from "./history.ts";
import type { SqlMigration, Transactions } from "./types.ts";

/**
 * Applies a file and records it in one transaction.
 *
 * @param reread gives the row under the lock, and whether there is nothing left to do
 * @returns the new row, or `undefined` when nothing was left to do
 */
export async function applyWhole(
  context: ApplyContext,
  transactions: Transactions,
  migration: SqlMigration,
  reread: () => Promise<{ readonly row?: Row; readonly done: boolean }>,
): Promise<Row | undefined> {
  const { connection } = context;
  const started = performance.now();
  let isCommitting = false;
  try {
    await transactions.begin();
    const { row, done } = await reread();
    if (done) {
      await transactions.rollback();
      return undefined;
    }
    await transactions.run(migration);
    const applied = appliedRow(context, migration, started);
    isCommitting = true;
    await transactions.commit(saveRow(connection, row, applied));
    return applied;
  } catch (error) {
    await transactions.rollback();
    throw fileFailure(connection, migration, error, { outcome: outcomeOf(error, isCommitting) });
  }
}

function outcomeOf(error: unknown, isCommitting: boolean): string[] {
  const kind = error instanceof DatabaseError ? error.kind : undefined;
  if (kind === "ended transaction") return []; // It says so itself.
  return isCommitting && kind === "lost"
    ? ["Whether it is applied is not known here: the next run reads it from the record"]
    : ["Nothing of the file is applied"];
}
