import { pauses } from "../../runtime/mod.ts";
import { InvalidFilesError, problemsIn } from "./errors.ts";
import { hexDigest } from "../../text/mod.ts";
import { isSameContent } from "./hash.ts";
import { mayHaveRun } from "./attempts.ts";
import { NO_PLAN, type Plan, planSteps, secretNotices } from "./plan.ts";
import type { FileProblem, PlanNotice } from "./results.ts";
import type { Session } from "./moments.ts";
import type {
  Classifier,
  Executor,
  JournalEntry,
  JournalState,
  Migration,
  MigrationFile,
} from "./types.ts";

/** Looks into files as far as a plan needs it, each at most once: those that did not change are only hashed. */
export class Preparation {
  readonly #migrations = new Map<string, Migration>();
  /** By path and recorded hash. */
  readonly #lineEnds = new Map<string, boolean>();
  readonly #told = new Set<string>();

  constructor(
    private readonly session: Session,
    private readonly files: readonly MigrationFile[],
    private readonly onWarning: (notice: PlanNotice) => void,
  ) {}

  mayHaveWork(state: JournalState): boolean {
    return this.#changed(state).length > 0;
  }

  async plan(state: JournalState): Promise<Plan> {
    const changed = this.#changed(state);
    const isIdle = changed.length === 0 &&
      ![...state.entries.values()].some(({ attempt }) => mayHaveRun(attempt));
    if (isIdle) return { ...NO_PLAN, notices: secretNotices(this.files, state) };
    const executor = await this.session.executor();
    const sameButLineEnds = await this.#sameButLineEnds(executor, changed, state);
    const pending = changed.filter(({ path }) =>
      !sameButLineEnds.has(path) || state.entries.get(path)?.attempt !== undefined
    );
    if (pending.length > 0) await this.#lookInto(executor, pending);
    return planSteps({
      connection: this.session.connection,
      files: this.files,
      state,
      migrations: this.#migrations,
      sameButLineEnds,
      lastApplied: await this.#lastApplied(executor, pending, state),
      followers: (paths) => executor.followers(this.#inOrder(), paths),
      known: await this.#known(executor, state),
    });
  }

  async #known(
    executor: Executor,
    { entries }: JournalState,
  ): Promise<ReadonlyMap<string, string>> {
    const known = new Map<string, string>();
    for (const { path, attempt } of entries.values()) {
      if (!mayHaveRun(attempt)) continue;
      known.set(path, await explain(this.session, attempt, this.#migrations.get(path)));
    }
    // A run stops at the first file that it is cut off in.
    const cutOff = this.#inOrder().find(({ file: { path } }) => known.has(path));
    const left = cutOff && await executor.obstacle(cutOff);
    const path = cutOff?.file.path ?? "";
    if (left) known.set(path, `${known.get(path)}, and ${left}`);
    return known;
  }

  #changed({ entries }: JournalState): readonly MigrationFile[] {
    return this.files.filter((file) => {
      const { applied, attempt } = entries.get(file.path) ?? {};
      return !isSameContent(applied, file) || attempt !== undefined;
    });
  }

  async #sameButLineEnds(
    { ignoresLineEnds }: Classifier,
    changed: readonly MigrationFile[],
    { entries }: JournalState,
  ): Promise<ReadonlySet<string>> {
    const same = new Set<string>();
    if (!ignoresLineEnds) return same;
    for (const file of changed) {
      const recorded = entries.get(file.path)?.applied?.hash;
      if (recorded === undefined || recorded === file.hash) continue;
      const key = `${recorded} ${file.path}`;
      const isSame = this.#lineEnds.get(key) ??
        await isSameButLineEnds(await file.read(), recorded);
      this.#lineEnds.set(key, isSame);
      if (isSame) same.add(file.path);
    }
    return same;
  }

  async #lastApplied(
    executor: Executor,
    pending: readonly MigrationFile[],
    { entries }: JournalState,
  ): Promise<MigrationFile | undefined> {
    const isNew = ({ path }: MigrationFile) => entries.get(path)?.applied === undefined;
    const firstNew = pending.find(isNew);
    if (firstNew === undefined) return undefined;
    for (const file of this.files.slice(this.files.indexOf(firstNew)).reverse()) {
      if (isNew(file)) continue;
      const migration = this.#migrations.get(file.path) ??
        (await classifyAll(executor, [file])).migrations[0];
      if (!migration?.unordered) return file;
    }
  }

  async #lookInto(executor: Executor, pending: readonly MigrationFile[]): Promise<void> {
    const wanted = executor.comparesFiles ? this.files : pending;
    const missing = wanted.filter(({ path }) => !this.#migrations.has(path));
    const { migrations, problems } = await classifyAll(executor, missing);
    for (const migration of migrations) this.#migrations.set(migration.file.path, migration);
    const concerned = new Set(pending.map(({ path }) => path));
    // An unchanged applied file blocks nothing.
    const errors = problems.filter(({ path }) => concerned.has(path));
    for (const problem of executor.check(this.#inOrder())) {
      if (problem.severity === "error") errors.push(problem);
      else this.#warn(problem);
    }
    if (errors.length > 0) throw new InvalidFilesError(errors, this.session.connection);
  }

  #warn({ path, message }: FileProblem): void {
    const key = `${path}\n${message}`;
    if (!this.#told.has(key)) this.onWarning({ file: path, message });
    this.#told.add(key);
  }

  #inOrder(): readonly Migration[] {
    return this.files.flatMap(({ path }) => this.#migrations.get(path) ?? []);
  }
}

/** The state of a file whose run was interrupted, as a sentence without its final period. */
export async function explain(
  session: Session,
  attempt: NonNullable<JournalEntry["attempt"]>,
  migration?: Migration,
): Promise<string> {
  return await session.features.first((one) => one.explain?.(attempt)) ??
    (await session.executor()).explain(attempt, migration);
}

export async function classifyAll<M extends Migration>(
  classifier: Classifier<M>,
  files: readonly MigrationFile[],
  look?: (migration: M) => Promise<readonly FileProblem[]>,
): Promise<{ readonly migrations: readonly M[]; readonly problems: readonly FileProblem[] }> {
  const migrations: M[] = [];
  const problems: FileProblem[] = [];
  const pause = pauses();
  for (const file of files) {
    await pause();
    try {
      const { path, location, hash, values } = file;
      const loaded = { path, location, hash, bytes: await file.read(), ...(values && { values }) };
      const migration = classifier.classify(loaded);
      migrations.push(migration);
      if (look) problems.push(...await look(migration));
    } catch (error) {
      problems.push(...problemsIn(error));
    }
  }
  return { migrations, problems };
}

export async function isSameButLineEnds(bytes: Uint8Array, recorded: string): Promise<boolean> {
  const lf = bytes.filter((byte, index) => byte !== CR || bytes[index + 1] !== LF);
  return await hexDigest(lf) === recorded || await hexDigest(withCarriageReturns(lf)) === recorded;
}

const CR = 0x0d;
const LF = 0x0a;

function withCarriageReturns(bytes: Uint8Array): Uint8Array {
  const lines = bytes.reduce((count, byte) => byte === LF ? count + 1 : count, 0);
  const result = new Uint8Array(bytes.length + lines);
  let at = 0;
  for (const byte of bytes) {
    if (byte === LF) result[at++] = CR;
    result[at++] = byte;
  }
  return result;
}
