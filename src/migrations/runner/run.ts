import { InvalidFileError, InvalidFilesError } from "./errors.ts";
import { plan, type Step } from "./plan.ts";
import type {
  Applied,
  FileProblem,
  Migration,
  MigrationFile,
  MigrationResult,
  RunOptions,
  Session,
  Target,
} from "./types.ts";

/** What a run did on one connection. */
export interface RunReport {
  /** Name of the connection. */
  readonly connection: string;
  /** One for each file, in order. */
  readonly results: readonly MigrationResult[];
  /** Why the run stopped before its end. */
  readonly error?: Error;
  /** Whether it was stopped by `RunOptions.signal` with files left. */
  readonly stopped: boolean;
  /** Requests or statements sent in all. */
  readonly requests: number;
}

/**
 * Brings one connection up to date: applies what is new or changed, in order, records each file, and stops at
 * the first failure (reference section 3). Every file is read and understood before anything is sent.
 * Failures are returned, not thrown: the results of what came before them count.
 */
export async function run<M extends Migration>(
  target: Target<M>,
  files: readonly MigrationFile[],
  options: RunOptions = {},
): Promise<RunReport> {
  const { connection } = target;
  const results: MigrationResult[] = [];
  let migrations: readonly M[] = [];
  let session: Session<M> | undefined;
  let error: Error | undefined;
  try {
    migrations = understand(target, files, options);
    session = await target.open();
    await bringUpToDate(target, session, migrations, options, results);
  } catch (thrown) {
    error = thrown instanceof Error ? thrown : new Error(String(thrown));
  } finally {
    await session?.close();
  }
  const stopped = error === undefined && options.signal?.aborted === true &&
    results.some(({ outcome }) => outcome === "not run");
  return {
    connection,
    results: inFileOrder(results, migrations),
    ...(error && { error }),
    stopped,
    requests: session?.requests ?? 0,
  };
}

/**
 * Classifies every file and checks them together.
 *
 * @returns the migrations, in order
 * @throws {InvalidFilesError} naming every file that is wrong
 */
export function understand<M extends Migration>(
  target: Target<M>,
  files: readonly MigrationFile[],
  options: RunOptions = {},
): readonly M[] {
  const { migrations, problems } = examine(target, files);
  const errors = problems.filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new InvalidFilesError(errors);
  for (const { path, message } of problems) {
    options.onEvent?.({ type: "notice", connection: target.connection, file: path, message });
  }
  return migrations;
}

/** Classifies every file and checks them together; finds everything that is wrong. Sends nothing. */
export function examine<M extends Migration>(
  target: Target<M>,
  files: readonly MigrationFile[],
): { readonly migrations: readonly M[]; readonly problems: readonly FileProblem[] } {
  const migrations: M[] = [];
  const problems: FileProblem[] = [];
  for (const file of files) {
    try {
      migrations.push(target.classify(file));
    } catch (error) {
      if (!(error instanceof InvalidFileError)) throw error;
      problems.push(error.problem);
    }
  }
  return { migrations, problems: [...problems, ...target.check(migrations)] };
}

async function bringUpToDate<M extends Migration>(
  { connection }: Target<M>,
  session: Session<M>,
  migrations: readonly M[],
  options: RunOptions,
  results: MigrationResult[],
): Promise<void> {
  const history = await session.read(migrations);
  let { steps, notices } = plan(connection, migrations, history);
  try {
    if ((steps.length > 0 || history.unsettled) && !options.signal?.aborted) {
      const pending = steps.map(({ migration }) => migration);
      const held = await session.lock(migrations, history, pending);
      if (held !== history) ({ steps, notices } = plan(connection, migrations, held));
    }
    for (const notice of notices) options.onEvent?.({ type: "notice", connection, ...notice });
    const { length: pending } = steps;
    options.onEvent?.({ type: "planned", connection, files: migrations.length, pending });
    recordSkipped(connection, migrations, steps, results);
    await applyAll(connection, session, steps, options, results);
  } catch (error) {
    await session.unlock().catch(() => {}); // What went wrong first is what matters.
    throw error;
  }
  await session.unlock();
}

async function applyAll<M extends Migration>(
  connection: string,
  session: Session<M>,
  steps: readonly Step<M>[],
  options: RunOptions,
  results: MigrationResult[],
): Promise<void> {
  const total = steps.length;
  for (const [index, step] of steps.entries()) {
    const position = index + 1;
    if (options.signal?.aborted) {
      results.push(...steps.slice(index).map(({ migration }) => notRun(connection, migration)));
      return;
    }
    options.onEvent?.({ type: "started", connection, migration: step.migration, position, total });
    const { result, error } = await applyOne(connection, session, step, position === total);
    results.push(result);
    options.onEvent?.({ type: "finished", result, position, total });
    if (error) {
      results.push(...steps.slice(position).map(({ migration }) => notRun(connection, migration)));
      throw error;
    }
  }
}

async function applyOne<M extends Migration>(
  connection: string,
  session: Session<M>,
  { migration, previous }: Step<M>,
  last: boolean,
): Promise<{ result: MigrationResult; error?: unknown }> {
  const { kind, resource, file } = migration;
  const started = performance.now();
  const sent = session.requests;
  const result = (rest: Pick<MigrationResult, "outcome" | "note" | "error">): MigrationResult => ({
    connection,
    file: file.path,
    kind,
    resource,
    durationMs: performance.now() - started,
    requests: session.requests - sent,
    ...rest,
  });
  try {
    const applied = await session.apply(migration, { ...(previous && { previous }), last });
    return { result: result(describe(applied, previous !== undefined)) };
  } catch (error) {
    const reason = error instanceof Error ? error : new Error(String(error));
    return { result: result({ outcome: "failed", error: reason }), error: reason };
  }
}

function describe(applied: Applied, again: boolean): Pick<MigrationResult, "outcome" | "note"> {
  const done = again ? "reapplied" : "applied";
  return {
    outcome: applied.outcome === "skipped" ? "skipped" : done,
    ...(applied.note !== undefined && { note: applied.note }),
  };
}

function recordSkipped<M extends Migration>(
  connection: string,
  migrations: readonly M[],
  steps: readonly Step<M>[],
  results: MigrationResult[],
): void {
  const pending = new Set(steps.map(({ migration }) => migration));
  for (const migration of migrations) {
    if (!pending.has(migration)) {
      results.push({ ...notRun(connection, migration), outcome: "skipped" });
    }
  }
}

function notRun(connection: string, { file, kind, resource }: Migration): MigrationResult {
  const nothing = { durationMs: 0, requests: 0 };
  return { connection, file: file.path, outcome: "not run", kind, resource, ...nothing };
}

function inFileOrder(
  results: readonly MigrationResult[],
  migrations: readonly Migration[],
): readonly MigrationResult[] {
  const position = new Map(migrations.map(({ file }, index) => [file.path, index]));
  const of = (result: MigrationResult) => position.get(result.file) ?? 0;
  return [...results].sort((a, b) => of(a) - of(b));
}
