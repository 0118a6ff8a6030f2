import { errorOf } from "../../text/mod.ts";
import { attemptOf, contentOfWork, entryAfterFailure, recordNow } from "./attempts.ts";
import { CutOffFiles } from "./cut_off.ts";
import { ConfirmationError, ExecutionError, InvalidFilesError } from "./errors.ts";
import { refuseForeign } from "./first_run.ts";
import { announce, NO_PLAN, type Plan, type Step } from "./plan.ts";
import { Preparation } from "./prepare.ts";
import { isDanger } from "./problems.ts";
import type { MigrationResult, PlanNotice, RunOptions, RunReport } from "./results.ts";
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
  let current: Run | undefined;
  let error: Error | undefined;
  try {
    current = new Run(target, await target.open(signal), files, options);
    await current.bringUpToDate();
  } catch (thrown) {
    if (!isStop(thrown, signal)) error = errorOf(thrown);
  }
  // Finished work is recorded; a connection that cannot be closed in order ends with the process.
  await current?.session.close().catch(() => {});
  const results = current?.results() ?? [];
  return {
    connection: target.connection,
    results,
    ...(error && { error }),
    stopped: error === undefined && signal?.aborted === true &&
      (current?.plan === undefined || results.some(({ outcome }) => outcome === "not run")),
    requests: current?.session.requests ?? 0,
  };
}

/** How long signals may be left unheard between two files. */
const HEARING_MS = 50;

class Run {
  plan: Plan | undefined;
  readonly #done = new Map<string, MigrationResult>();

  constructor(
    private readonly target: Target,
    readonly session: Session,
    private readonly files: readonly MigrationFile[],
    private readonly options: RunOptions,
  ) {}

  async bringUpToDate(): Promise<void> {
    const { journal } = this.session;
    try {
      const plan = await this.#planUnderLock();
      if (plan === undefined) return;
      plan.notices.forEach(this.#tell);
      await this.#check(plan.steps);
      const [files, pending] = [this.files.length, plan.steps.length];
      const { connection } = this.target;
      this.options.onEvent?.({ type: "planned", connection, files, pending });
      await this.#applyAll(plan.steps);
    } catch (error) {
      await journal.unlock().catch(() => {}); // The first error matters.
      throw error;
    }
    await journal.unlock();
  }

  results(): readonly MigrationResult[] {
    if (this.plan === undefined) return [];
    const steps = new Map(this.plan.steps.map((step) => [step.migration.file.path, step]));
    return this.files.map(({ path }) => {
      const done = this.#done.get(path);
      if (done) return done;
      const step = steps.get(path);
      const { connection } = this.target;
      const nothing = { connection, file: path, durationMs: 0, requests: 0 } as const;
      if (step === undefined) return { ...nothing, outcome: "skipped" };
      const { kind, resource } = step.migration;
      return { ...nothing, outcome: "not run", kind, resource };
    });
  }

  readonly #tell = (notice: PlanNotice): void => {
    this.options.onEvent?.({ type: "notice", connection: this.target.connection, ...notice });
  };

  async #planUnderLock(): Promise<Plan | undefined> {
    const { session, files, options: { signal, yes } } = this;
    const { journal, owner } = session;
    const preparation = new Preparation(session, files, this.#tell);
    const cutOff = new CutOffFiles(session, files, this.#tell, signal);
    const check = (state: JournalState) =>
      refuseForeign(session, state, files, this.plan?.steps, yes);
    for (;;) {
      const read = await cutOff.releaseAndRead();
      // Work that another run has begun is undecided as long as that run continues.
      const isIdle = read.lockedBy === undefined;
      if (isIdle) this.plan = await preparation.plan(read);
      else this.plan = preparation.mayHaveWork(read) ? undefined : NO_PLAN;
      if (this.plan?.steps.length === 0 && !read.unsettled) return this.plan;
      await check(read);
      if (signal?.aborted) return undefined;
      let isLate = false;
      await journal.lock(read, async (held) => {
        // The run that was waited for was cut off itself: that comes before any plan.
        isLate = cutOff.isIn(held);
        if (isLate) return new Map();
        if (held !== read || !isIdle) this.plan = await preparation.plan(held);
        if (!isIdle) await check(held);
        return announce(this.plan!, owner);
      }, signal);
      if (!isLate) return this.plan;
      await journal.unlock();
    }
  }

  /** @throws {ConfirmationError} unless irreversible changes are confirmed */
  async #check(steps: readonly Step[]): Promise<void> {
    if (steps.length === 0) return;
    const { connection, features, offers } = this.session;
    const migrations = steps.map(({ migration }) => migration);
    const paths = this.files.map(({ path }) => path);
    const files = { purpose: "run", migrations, paths, offers } as const;
    const problems = await features.problems((one) => one.check?.(files));
    const errors = problems.filter(({ severity }) => severity === "error");
    if (errors.length > 0) throw new InvalidFilesError(errors, connection);
    for (const problem of problems) {
      this.#tell({ file: problem.path, message: problem.message, problem });
    }
    const found = await features.dangers(files);
    const dangers = found.filter(isDanger);
    if (dangers.length > 0 && !this.options.yes) throw new ConfirmationError(connection, dangers);
    for (const problem of found) {
      const agreed = isDanger(problem) ? "; '--yes' agrees to it" : "";
      this.#tell({ file: problem.path, message: problem.message + agreed });
    }
  }

  async #applyAll(steps: readonly Step[]): Promise<void> {
    const { target, options: { onEvent, signal } } = this;
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
      const file = { target, path, isStop: isStopped };
      const work = () => this.#measure(step, position === total);
      const result = await features.around(work, (one, next) => one.file?.(file, next));
      // The task that it waited for goes on, and the next run waits for it.
      if (isStopped(result.error)) return;
      this.#done.set(path, result);
      onEvent?.({ type: "finished", result, position, total });
      if (result.error) throw result.error;
    }
  }

  async #measure(step: Step, isLast: boolean): Promise<MigrationResult> {
    const { session } = this;
    const { migration: { file, kind, resource }, entry } = step;
    const started = performance.now();
    const sent = session.requests;
    const result = (rest: Pick<MigrationResult, "outcome" | "note" | "error">) => ({
      connection: session.connection,
      file: file.path,
      kind,
      resource,
      durationMs: Math.round(performance.now() - started),
      requests: session.requests - sent,
      ...rest,
    });
    try {
      const { note } = await this.#apply(step, isLast);
      const outcome = entry.applied === undefined ? "applied" : "reapplied";
      return result({ outcome, ...(note !== undefined && { note }) });
    } catch (error) {
      return result({ outcome: "failed", error: errorOf(error) });
    }
  }

  async #apply({ migration, entry }: Step, isLast: boolean): Promise<Applied> {
    const { session, options: { onEvent, signal }, target: { connection } } = this;
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
      onProgress: (progress) => onEvent?.({ type: "progress", connection, file: path, progress }),
      progress: async (progress) => {
        attempt = { ...attempt, ...progress };
        await journal.write([{ ...entry, attempt }]);
      },
      begin: async (later, change) => {
        const step = this.plan!.steps.find((one) => one.entry.path === later)!;
        const begun = attemptOf(step.migration, step.entry, owner);
        const resume = change(begun.resume);
        step.entry = { ...step.entry, attempt: { ...begun, state: "running", resume } };
        await journal.write([step.entry]);
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

function isStop(thrown: unknown, signal: AbortSignal | undefined): boolean {
  if (signal?.aborted !== true || thrown === undefined) return false;
  return thrown === signal.reason || (thrown instanceof Error && thrown.cause === signal.reason);
}
