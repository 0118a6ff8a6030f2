import { InterruptedError, MigrationFailedError } from "./errors.ts";
import type { History, Interruption, Migration, MigrationRecord } from "./types.ts";

/** One file that a run will apply. */
export interface Step<M extends Migration = Migration> {
  /** The file. */
  readonly migration: M;
  /** The record of the last time, where there is one: the file is applied again. */
  readonly previous?: MigrationRecord;
}

/** What a run will do. */
export interface Plan<M extends Migration = Migration> {
  /** In order. */
  readonly steps: readonly Step<M>[];
  /** Worth telling before it starts. */
  readonly notices: readonly PlanNotice[];
}

/** Something worth telling about a file. */
export interface PlanNotice {
  /** Path below the connection's folder. */
  readonly file: string;
  /** A sentence without its final period. */
  readonly message: string;
}

/**
 * Decides from the files and their history what has to be applied (reference section 3). Pure.
 *
 * @param migrations in order
 * @throws {InterruptedError} when an earlier run was cut off in a file that must not run twice
 * @throws {MigrationFailedError} when a file was edited after it was applied and may not run again
 */
export function plan<M extends Migration>(
  connection: string,
  migrations: readonly M[],
  history: History,
): Plan<M> {
  const notices = [...resumed(connection, migrations, history.interrupted)];
  const steps: Step<M>[] = [];
  const lastApplied = migrations.findLast(({ file }) => history.records.has(file.path));
  let beforeLast = lastApplied !== undefined;

  for (const migration of migrations) {
    const { file } = migration;
    if (migration === lastApplied) beforeLast = false;
    const previous = history.records.get(file.path);
    if (previous === undefined) {
      if (beforeLast) {
        const message = `Out of order: it sorts before '${lastApplied?.file.path}', ` +
          "which was applied earlier";
        notices.push({ file: file.path, message });
      }
      steps.push({ migration });
    } else if (previous.hash !== file.hash) {
      if (migration.onChange === "fail") throw edited(connection, migration, previous);
      steps.push({ migration, previous });
    } else if (history.again?.has(file.path)) {
      const message = "Applied again, though it did not change: an earlier file for the same " +
        "resource is applied";
      notices.push({ file: file.path, message });
      steps.push({ migration, previous });
    }
  }
  return { steps, notices };
}

/** Files of a run that was cut off which can simply be done again; one that cannot stops the run. */
function* resumed(
  connection: string,
  migrations: readonly Migration[],
  interrupted: readonly Interruption[],
): Iterable<PlanNotice> {
  const byPath = new Map(migrations.map((migration) => [migration.file.path, migration]));
  for (const { path, detail } of interrupted) {
    const migration = byPath.get(path);
    if (migration === undefined) continue;
    if (!migration.repeatSafe) throw interruptedIn(connection, migration, detail);
    yield { file: path, message: "An earlier run was cut off here: it is applied again" };
    return; // The rest of that run was never sent.
  }
}

function interruptedIn(
  connection: string,
  { file, resource }: Migration,
  detail?: string,
): InterruptedError {
  const subject = `'${file.path}' (${resource})`;
  const lines = [
    detail === undefined
      ? `An earlier run was cut off in ${subject}, and it is not known whether it was applied`
      : `An earlier run stopped in ${subject}: ${detail}`,
    "  Find out, then say so, and run again:",
    `    resolve ${file.path} --applied   it was applied`,
    `    resolve ${file.path} --retry     it was not: apply it in the next run`,
  ];
  return new InterruptedError(connection, file.path, lines.join("\n"));
}

function edited(
  connection: string,
  { file }: Migration,
  previous: MigrationRecord,
): MigrationFailedError {
  const lines = [
    `Cannot apply '${file.path}': it was edited after it had been applied ` +
    `(${previous.executedAt.toISOString()})`,
    `  applied  ${previous.hash}`,
    `  now      ${file.hash}`,
    "  Ways out:",
    "    - undo the edit and put the change into a new file",
    "    - start the file with '-- irori: repeatable' if it may run again after each edit",
    "    - set 'migrations.on_change: reapply' for the connection to run every edited file again",
  ];
  return new MigrationFailedError(connection, file.path, lines.join("\n"));
}
