import { errorOf } from "../../text/mod.ts";
import { attemptOf, contentOfWork, entryAfterFailure, recordNow } from "./attempts.ts";
import { CutOffFiles } from "./cut_off.ts";
import { ConfirmationError, ExecutionError, InvalidFilesError } from "./errors.ts";
import { refuseForeign } from "./first_run.ts";
import { announce, NO_PLAN, type Plan, type Step } from "./plan.ts";
import { Preparation } from "./prepare.ts";
import { isDanger } from "./problems.ts";
import type {
  MigrationResult,
  PlanNotice,
  RunOptions,
  RunReport,
  WorkProgress,
} from "./results.ts";
import type { Session, Target } from "./moments.ts";
import type {
  Applied,
  Attempt,
  JournalEntry,
  JournalState,
  Migration,
  MigrationFile,
  Work,
} from "./types.ts";
import { pause } from "../../runtime/retry.ts";

/**
 * Brings one connection up to date: applies what is new or changed, in order, records each file, and stops at
 * the first failure (reference section 3). What has to be applied is read and understood before anything is.
 * Failures are returned, not thrown: the results of what came before them count.
 */
export async function run(
  target: Target,
  files: readonly MigrationFile[],
  options: RunOptions = {},
): Promise<RunReport> {
  const work = () => runOnce(target, files, options);
  return await target.features.around(work, (one, next) => one.run?.(target, next));
}

async function runOnce(
  target: Target,
  files: readonly MigrationFile[],
  options: RunOptions,
): Promise<RunReport> {
  const { signal } = options;
  const progress: Progress = { results: new Map() };
  let session: Session | undefined;
  let error: Error | undefined;
  try {
    session = await target.open(signal);
    await bringUpToDate(target, session, files, options, progress);
  } catch (thrown) {
    if (!isStop(thrown, signal)) error = errorOf(thrown);
  }
  // What was done is recorded; a connection that cannot be closed in order ends with the process.
  await session?.close().catch(() => {});
  const results = resultsOf(target.connection, files, progress);
  return {
    connection: target.connection,
    results,
    ...(error && { error }),
    stopped: error === undefined && signal?.aborted === true &&
      (progress.plan === undefined || results.some(({ outcome }) => outcome === "not run")),
    requests: session?.requests ?? 0,
  };
}

interface Progress {
  plan?: Plan | undefined;
  readonly results: Map<string, MigrationResult>;
}

async function bringUpToDate(
  target: Target,
  session: Session,
  files: readonly MigrationFile[],
  options: RunOptions,
  progress: Progress,
): Promise<void> {
  const { connection } = target;
  const { onEvent, signal, yes = false } = options;
  const tell = (notice: PlanNotice) => onEvent?.({ type: "notice", connection, ...notice });
  const preparation = new Preparation(session, files, tell);
  const cutOff = new CutOffFiles(session, files, tell, signal);
  try {
    const check = (state: JournalState, plan: Plan | undefined) =>
      refuseForeign(session, state, files, plan?.steps, yes);
    const plan = await planUnderLock(session, check, preparation, cutOff, progress, signal);
    if (plan === undefined) return;
    const { steps, notices } = plan;
    notices.forEach(tell);
    const paths = files.map(({ path }) => path);
    await checkSteps(session, steps, paths, yes, tell);
    onEvent?.({ type: "planned", connection, files: files.length, pending: steps.length });
    await applyAll(target, session, steps, options, progress);
  } catch (error) {
    await session.journal.unlock().catch(() => {}); // What went wrong first is what matters.
    throw error;
  }
  await session.journal.unlock();
}

/** @throws {ConfirmationError} unless irreversible changes are confirmed */
async function checkSteps(
  { connection, features, offers }: Session,
  steps: readonly Step[],
  paths: readonly string[],
  yes: boolean,
  tell: (notice: PlanNotice) => void,
): Promise<void> {
  if (steps.length === 0) return;
  const migrations = steps.map(({ migration }) => migration);
  const files = { purpose: "run", migrations, paths, offers } as const;
  const problems = await features.problems((one) => one.check?.(files));
  const errors = problems.filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new InvalidFilesError(errors, connection);
  for (const problem of problems) tell({ file: problem.path, message: problem.message, problem });
  const found = await features.dangers(files);
  const dangers = found.filter(isDanger);
  if (dangers.length > 0 && !yes) throw new ConfirmationError(connection, dangers);
  for (const problem of found) {
    const agreed = isDanger(problem) ? "; '--yes' agrees to it" : "";
    tell({ file: problem.path, message: problem.message + agreed });
  }
}

async function planUnderLock(
  session: Session,
  check: (state: JournalState, plan: Plan | undefined) => Promise<void>,
  preparation: Preparation,
  cutOff: CutOffFiles,
  progress: Progress,
  signal: AbortSignal | undefined,
): Promise<Plan | undefined> {
  const { journal, owner } = session;
  for (;;) {
    const read = await cutOff.read();
    let plan: Plan | undefined;
    // Work that another run has begun is undecided as long as that run continues.
    const isIdle = read.lockedBy === undefined;
    if (isIdle) plan = await preparation.plan(read);
    else if (!preparation.mayHaveWork(read)) plan = NO_PLAN;
    progress.plan = plan;
    const hasWork = plan === undefined || plan.steps.length > 0 || read.unsettled;
    if (!hasWork) return plan;
    await check(read, plan);
    if (signal?.aborted) return undefined;
    let isLate = false;
    await journal.lock(read, async (held) => {
      // The run that was waited for was cut off itself: that comes before any plan.
      isLate = cutOff.isIn(held);
      if (isLate) return new Map();
      if (held !== read || !isIdle) plan = await preparation.plan(held);
      progress.plan = plan;
      if (!isIdle) await check(held, plan);
      return announce(plan!, owner);
    }, signal);
    if (!isLate) return plan;
    await journal.unlock();
  }
}

async function applyAll(
  target: Target,
  session: Session,
  steps: readonly Step[],
  { onEvent, signal }: RunOptions,
  { results }: Progress,
): Promise<void> {
  const { connection, features } = target;
  const isStopped = (error: unknown) => isStop(error, signal);
  const total = steps.length;
  let heard = performance.now();
  for (const [index, step] of steps.entries()) {
    // A database within the process leaves no time to receive signals.
    if (performance.now() - heard > HEARING_MS) {
      await pause(0);
      heard = performance.now();
    }
    if (signal?.aborted) return;
    const position = index + 1;
    const { path } = step.migration.file;
    onEvent?.({ type: "started", connection, file: path, position, total });
    const onProgress = (progress: WorkProgress) => {
      onEvent?.({ type: "progress", connection, file: path, progress });
    };
    const isLast = position === total;
    const work = () =>
      measure(session, step, () => apply(session, step, isLast, onProgress, signal));
    const file = { target, path, isStop: isStopped };
    const result = await features.around(work, (one, next) => one.file?.(file, next));
    // What it waited for goes on, and is waited for by the next run.
    if (isStopped(result.error)) return;
    results.set(path, result);
    onEvent?.({ type: "finished", result, position, total });
    if (result.error) throw result.error;
  }
}

/** How long signals may be left unheard between two files. */
const HEARING_MS = 50;

async function measure(
  session: Session,
  { migration: { file, kind, resource }, entry }: Step,
  work: () => Promise<Applied>,
): Promise<MigrationResult> {
  const started = performance.now();
  const sent = session.requests;
  const result = (rest: Pick<MigrationResult, "outcome" | "note" | "error">): MigrationResult => ({
    connection: session.connection,
    file: file.path,
    kind,
    resource,
    durationMs: Math.round(performance.now() - started),
    requests: session.requests - sent,
    ...rest,
  });
  try {
    const { note } = await work();
    const outcome = entry.applied === undefined ? "applied" : "reapplied";
    return result({ outcome, ...(note !== undefined && { note }) });
  } catch (error) {
    return result({ outcome: "failed", error: errorOf(error) });
  }
}

async function apply(
  session: Session,
  { migration, entry }: Step,
  isLast: boolean,
  onProgress: NonNullable<Work["onProgress"]>,
  signal: AbortSignal | undefined,
): Promise<Applied> {
  const { journal, owner } = session;
  const { file, kind, resource, repeatSafe, transactional } = migration;
  const { path } = file;
  const started = performance.now();
  const applied = (result: Applied): JournalEntry => {
    const { note, version } = result;
    const about = { durationMs: performance.now() - started, kind, resource, note, version };
    return { path, applied: recordNow(contentOfWork(file, entry), owner, about, entry, result) };
  };
  await journal.ensureHeld();
  let attempt: Attempt = { ...attemptOf(migration, entry, owner), state: "running" };
  if (!transactional) await journal.write([{ ...entry, attempt }]);
  const result = await execute(session, migration, {
    entry,
    applied,
    ensureHeld: () => journal.ensureHeld(),
    signal,
    onProgress,
    progress: async (progress) => {
      attempt = { ...attempt, ...progress };
      await journal.write([{ ...entry, attempt }]);
    },
  }).catch(async (failure: ExecutionError) => {
    // Where it cannot be written, the journal still says that the file was begun.
    const left = entryAfterFailure(entry, attempt, failure);
    if (!transactional) await journal.write([left]).catch(() => {});
    throw failure.cause;
  });
  // A step that releases the lock may be done in part: what must not run twice is recorded before that.
  if (!transactional) await journal.write([applied(result)], { release: isLast && repeatSafe });
  return result;
}

/** Whatever an executor throws, as an {@linkcode ExecutionError}: what is unexpected leaves unknown behind. */
async function execute(
  { executor, features, offers }: Session,
  migration: Migration,
  work: Work,
): Promise<Applied> {
  const own = await executor();
  try {
    const step = { migration, work, offers };
    const apply = () => own.execute(migration, work);
    return await features.around(apply, (one, next) => one.apply?.(step, next));
  } catch (error) {
    if (error instanceof ExecutionError) throw error;
    throw new ExecutionError(errorOf(error), "unknown", { goesOn: true });
  }
}

function resultsOf(
  connection: string,
  files: readonly MigrationFile[],
  { plan, results }: Progress,
): readonly MigrationResult[] {
  if (plan === undefined) return [];
  const steps = new Map(plan.steps.map((step) => [step.migration.file.path, step]));
  return files.map(({ path }) => {
    const done = results.get(path);
    if (done) return done;
    const step = steps.get(path);
    const nothing = { connection, file: path, durationMs: 0, requests: 0 } as const;
    if (step === undefined) return { ...nothing, outcome: "skipped" };
    const { kind, resource } = step.migration;
    return { ...nothing, outcome: "not run", kind, resource };
  });
}

function isStop(thrown: unknown, signal: AbortSignal | undefined): boolean {
  if (signal?.aborted !== true || thrown === undefined) return false;
  return thrown === signal.reason || (thrown instanceof Error && thrown.cause === signal.reason);
}
