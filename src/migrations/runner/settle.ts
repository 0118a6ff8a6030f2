import { InvalidFilesError, LockedError } from "./errors.ts";
import { hashesOf } from "./hash.ts";
import { mayHaveRun } from "./plan.ts";
import { classifyAll } from "./prepare.ts";
import type { JournalEntry, Migration, MigrationFile, Session, Target } from "./types.ts";
import { retry } from "./wait.ts";

/** Which files a baseline records. */
export interface BaselineOptions {
  /** Files without a record, up to this one in order and with it. @default all of them */
  readonly until?: string;
  /** Instead: this one, which was edited after it was applied, as it is now. */
  readonly changed?: string;
}

/**
 * Records files as applied without applying them.
 *
 * @returns the paths that were recorded, in order
 * @throws {LockedError} when another run is going on
 * @throws {InvalidFilesError} when a file is wrong
 */
export async function baseline<M extends Migration>(
  session: Session<M>,
  files: readonly MigrationFile[],
  { until, changed }: BaselineOptions = {},
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const { journal, owner } = session;
  const last = until === undefined
    ? files.length - 1
    : files.findIndex(({ path }) => path === until);
  const candidates = changed === undefined
    ? files.slice(0, last + 1)
    : files.filter(({ path }) => path === changed);
  const isWanted = ({ path, hash }: MigrationFile, entry?: JournalEntry) =>
    !mayHaveRun(entry?.attempt) &&
    (changed === undefined
      ? entry?.applied === undefined
      : path === changed && entry?.applied !== undefined && entry.applied.hash !== hash);
  let wanted: readonly MigrationFile[] = [];
  const read = await journal.read(files.map(({ path }) => path), hashesOf(files));
  const choose = (entries: ReadonlyMap<string, JournalEntry>) =>
    candidates.filter((file) => isWanted(file, entries.get(file.path)));
  if (choose(read.entries).length === 0 && read.lockedBy === undefined) return [];
  await journal.lock(read, (held) => {
    wanted = choose(held.entries);
    return Promise.resolve(new Map());
  }, signal);
  try {
    const { migrations, problems } = await classifyAll(await session.executor(), wanted);
    if (problems.length > 0) throw new InvalidFilesError(problems);
    await journal.write(migrations.map(({ file: { path, hash }, kind, resource }) => ({
      path,
      applied: {
        hash,
        executedAt: new Date(),
        executedBy: owner,
        kind,
        resource,
        note: "recorded without applying it",
      },
    })));
  } finally {
    await journal.unlock();
  }
  return wanted.map(({ path }) => path);
}

/** What {@linkcode resolve} settled. */
export interface Resolution {
  /** Path below the connection's folder. */
  readonly file: string;
  /** What was known of how far it came. */
  readonly known: string;
  /** Whether the next run has something to apply: the file is not as it was applied before. */
  readonly isPending: boolean;
}

/** How {@linkcode resolve} waits for a server that still works on the file. */
export interface ResolveOptions {
  /** For how long, in milliseconds. */
  readonly waitMs: number;
  /** Told once, when there is something to wait for. */
  readonly onNotice: (message: string) => void;
  /** Ends the waiting; its reason is thrown. */
  readonly signal?: AbortSignal;
}

/**
 * Settles what became of a file that a run was cut off in. A server that still works on it is waited for.
 *
 * @param path below the connection's folder; the file itself may be gone
 * @returns `undefined` when there was nothing to settle
 * @throws {LockedError} when another run is going on, or the server is still at work when the time is over
 */
export async function resolve<M extends Migration>(
  { connection }: Target<M>,
  session: Session<M>,
  files: readonly MigrationFile[],
  path: string,
  answer: "applied" | "retry",
  options: ResolveOptions,
): Promise<Resolution | undefined> {
  const { journal, owner } = session;
  const executor = await session.executor();
  let entry: JournalEntry = { path };
  await journal.lock(await journal.read([path], hashesOf(files)), (held) => {
    entry = held.entries.get(path) ?? entry;
    return Promise.resolve(new Map());
  }, options.signal);
  try {
    const { applied, attempt } = entry;
    if (!mayHaveRun(attempt)) return undefined;
    await waitForOrphan(connection, () => executor.orphan(), options);
    const known = executor.explain(attempt);
    const settled = answer === "retry" ? applied : {
      hash: attempt.hash,
      executedAt: new Date(),
      executedBy: owner,
      note: "resolved as applied",
      ...(applied?.kind !== undefined && { kind: applied.kind }),
      ...(applied?.resource !== undefined && { resource: applied.resource }),
    };
    await journal.write([{ path, ...(settled && { applied: settled }) }]);
    const file = files.find((file) => file.path === path);
    return { file: path, known, isPending: file !== undefined && settled?.hash !== file.hash };
  } finally {
    await journal.unlock();
  }
}

async function waitForOrphan(
  connection: string,
  orphan: () => Promise<string | undefined>,
  { waitMs, onNotice, signal }: ResolveOptions,
): Promise<void> {
  let found: string | undefined;
  const seconds = waitMs / 1000;
  const isGone = await retry(async () => {
    const isFirst = found === undefined;
    found = await orphan();
    if (found === undefined) return true;
    if (isFirst) onNotice(`Waiting up to ${seconds} s: ${found}`);
  }, { timeoutMs: waitMs, ...(signal && { signal }) });
  if (isGone) return;
  const message = `${found}: until that is over nobody can say what became of the file; ` +
    `gave up after ${seconds} s`;
  throw new LockedError(connection, message);
}
