import { fileFailure } from "./failure.ts";
import { type Row, saveRow } from "./history.ts";
import type { Database, SqlMigration } from "./types.ts";

/** What applying a file needs of the session. */
export interface ApplyContext {
  readonly connection: string;
  readonly database: Database;
  readonly owner: string;
  readonly clock: () => Date;
  /** Whether a statement of this dialect that fails has changed nothing. */
  readonly isAtomic: (statement: SqlMigration["statements"][number]) => boolean;
}

/**
 * Applies a file and records it in one transaction.
 *
 * @param reread gives the row under the lock, and whether there is nothing left to do
 * @returns the new row, or `undefined` when nothing was left to do
 */
export async function applyWhole(
  context: ApplyContext,
  migration: SqlMigration,
  reread: () => Promise<{ readonly row?: Row; readonly done: boolean }>,
): Promise<Row | undefined> {
  const { connection, database } = context;
  const started = performance.now();
  try {
    await database.begin();
    const { row, done } = await reread();
    if (done) {
      await database.rollback();
      return undefined;
    }
    await database.run(migration);
    const applied = appliedRow(context, migration, started);
    await database.commit(saveRow(connection, row, applied));
    return applied;
  } catch (error) {
    await database.rollback();
    throw fileFailure(connection, migration, error, {
      outcome: ["Nothing of the file is applied"],
    });
  }
}

/** The row of a file that has been applied. @param started as `performance.now()` gives it */
export function appliedRow(
  { owner, clock }: ApplyContext,
  { file }: SqlMigration,
  started: number,
): Row {
  return {
    path: file.path,
    hash: file.hash,
    executedAt: clock(),
    executedBy: owner,
    durationMs: Math.round(performance.now() - started),
    state: "applied",
  };
}
