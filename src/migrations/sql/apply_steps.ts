import { appliedRow, type ApplyContext } from "./apply_context.ts";
import { DatabaseError } from "./errors.ts";
import { fileFailure } from "./failure.ts";
import {
  appliedPhrase,
  deleteRow,
  type Row,
  saveRow,
  updateProgress,
  updateRow,
} from "./history.ts";
import type { SqlMigration } from "./types.ts";

/** How far a file came. */
interface Progress {
  /** How many statements are applied for good. */
  done: number;
  /** Index of the statement in hand. */
  current: number;
}

/**
 * Applies a file statement by statement. Its record says `running` before the first and `applied` after the last
 * one, and in between how many are applied, so that a run which is cut off leaves behind how far it came.
 *
 * @param previous the row of the last time, where there is one
 * @returns the new row
 */
export async function applySteps(
  context: ApplyContext,
  migration: SqlMigration,
  previous: Row | undefined,
): Promise<Row> {
  const { connection, database } = context;
  const started = performance.now();
  const running: Row = { ...appliedRow(context, migration), state: "running", statement: 0 };
  const progress: Progress = { done: 0, current: 0 };
  try {
    await database.write([saveRow(connection, previous, running)]);
    await runAll(context, migration, progress);
    const finished = appliedRow(context, migration, started);
    await database.write([updateRow(connection, finished)]);
    return finished;
  } catch (error) {
    await database.endSteps();
    const outcome = await leaveBehind(context, migration, error, progress, running, previous);
    const base = migration.statements[progress.current]?.start ?? 0;
    throw fileFailure(connection, migration, error, { statement: progress.current, base, outcome });
  }
}

async function runAll(
  { connection, database }: ApplyContext,
  { file, statements }: SqlMigration,
  progress: Progress,
): Promise<void> {
  let leftOpen = false;
  for (const [index, statement] of statements.entries()) {
    progress.current = index;
    leftOpen = (await database.step(statement)).open;
    if (leftOpen) continue; // It counts when the file commits.
    progress.done = index + 1;
    if (progress.done < statements.length) {
      await database.write([updateProgress(connection, file.path, progress.done)]);
    }
  }
  if (leftOpen) {
    throw new DatabaseError(
      "refused",
      "the file leaves the transaction open that it has started: end it with COMMIT",
    );
  }
  await database.endSteps();
}

/** Records what a failure has left behind, and says it. */
async function leaveBehind(
  { connection, database, isAtomic }: ApplyContext,
  { file, statements }: SqlMigration,
  error: unknown,
  { done, current }: Progress,
  running: Row,
  previous: Row | undefined,
): Promise<string[]> {
  const total = statements.length;
  if (!(error instanceof DatabaseError) || error.kind === "lost") {
    return [`Of ${total} statements ${appliedPhrase(done)}, and of the next one nothing is known`];
  }
  const failing = statements[current];
  const isClean = done === 0 && (failing === undefined || isAtomic(failing));
  try {
    if (isClean) {
      const undo = previous === undefined
        ? deleteRow(connection, file.path)
        : updateRow(connection, previous);
      await database.write([undo]);
      return ["Nothing of the file is applied"];
    }
    await database.write([updateRow(connection, { ...running, state: "failed", statement: done })]);
  } catch {
    // The row still says `running`, which asks for the same decision.
  }
  if (isClean) return ["Nothing of the file is applied"];
  return [
    `Of ${total} statements ${appliedPhrase(done)}`,
    "Finish or undo it by hand, then say so, and run again:",
    `  resolve ${file.path} --applied   all of it is applied now`,
    `  resolve ${file.path} --retry     none of it is: the next run starts with its first statement`,
  ];
}
