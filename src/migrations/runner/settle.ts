import { InvalidFilesError } from "./errors.ts";
import { type FileContent, hashesOf, hasOtherSecrets, isSameContent } from "./hash.ts";
import { attemptOf, mayHaveRun, recordNow } from "./attempts.ts";
import { abandon, isCutOff, whileLocked } from "./cut_off.ts";
import { interruption } from "./plan.ts";
import { classifyAll, explain } from "./prepare.ts";
import type { Session } from "./moments.ts";
import type { Attempt, JournalEntry, MigrationFile, MigrationRecord } from "./types.ts";

export interface BaselineOptions {
  /** Files without a record, up to this one in order and with it. @default all of them */
  readonly until?: string;
  readonly changed?: string;
  /** Files that were written from what is live, by their paths. */
  readonly pulled?: ReadonlyMap<string, Taken>;
  /** Receives the files that stay pending: an unreadable secret may have changed since they were applied. */
  readonly onLeft?: (path: string) => void;
}

interface Taken extends Pick<MigrationRecord, "version"> {
  /** Whether a part of what is live cannot be read, and so may be another than the file says: a password. */
  readonly hasHiddenFields?: true;
}

export async function baseline(
  session: Session,
  files: readonly MigrationFile[],
  options: BaselineOptions = {},
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const { connection, journal, owner } = session;
  const candidates = baselineCandidates(files, options);
  let wanted: readonly MigrationFile[] = [];
  const read = await journal.read(files.map(({ path }) => path), hashesOf(files));
  for (const file of candidates) {
    if (isLeft(options, file, read.entries.get(file.path))) options.onLeft?.(file.path);
  }
  const choose = (entries: ReadonlyMap<string, JournalEntry>) =>
    candidates.filter((file) => isWanted(options, file, entries.get(file.path)));
  if (choose(read.entries).length === 0 && read.lockedBy === undefined) return [];
  const executor = await session.executor();
  await whileLocked(
    journal,
    read,
    async (entries) => {
      const { migrations, problems } = await classifyAll(executor, wanted);
      if (problems.length > 0) throw new InvalidFilesError(problems, connection);
      const note = "recorded without applying it";
      await journal.write(migrations.map(({ file, kind, resource }) => {
        const { path } = file;
        const about = { kind, resource, note, version: options.pulled?.get(path)?.version };
        return { path, applied: recordNow(file, owner, about, entries.get(path)) };
      }));
    },
    signal,
    async (entries) => {
      wanted = choose(entries);
      await refuseBegun(session, wanted, entries);
    },
  );
  return wanted.map(({ path }) => path);
}

/** @throws {InterruptedError} */
export async function refuseBegun(
  session: Session,
  files: readonly MigrationFile[],
  entries: ReadonlyMap<string, JournalEntry>,
): Promise<void> {
  for (const { path } of files) {
    const { attempt } = entries.get(path) ?? {};
    if (!mayHaveRun(attempt)) continue;
    const known = await explain(session, attempt);
    throw interruption(session.connection, path, { ...attempt, known });
  }
}

function baselineCandidates(
  files: readonly MigrationFile[],
  { until, changed, pulled }: BaselineOptions,
): readonly MigrationFile[] {
  if (pulled) return files.filter(({ path }) => pulled.has(path));
  if (changed !== undefined) return files.filter(({ path }) => path === changed);
  if (until === undefined) return files;
  return files.slice(0, files.findIndex(({ path }) => path === until) + 1);
}

function isLeft({ pulled }: BaselineOptions, file: MigrationFile, entry?: JournalEntry): boolean {
  return pulled?.get(file.path)?.hasHiddenFields === true && entry?.applied !== undefined &&
    isOther(entry.applied, file) && !mayHaveRun(entry.attempt);
}

function isWanted(options: BaselineOptions, file: MigrationFile, entry?: JournalEntry): boolean {
  if (mayHaveRun(entry?.attempt)) return true;
  const { changed, pulled } = options;
  if (!entry?.applied) return pulled !== undefined || changed === undefined;
  return (pulled ? !isLeft(options, file, entry) : changed !== undefined) &&
    isOther(entry.applied, file);
}

function isOther(applied: FileContent, file: FileContent): boolean {
  return !isSameContent(applied, file) || hasOtherSecrets(applied, file);
}

export type ResolveAnswer = "applied" | "retry" | "abandon" | "cancel";

export interface Resolution {
  readonly file: string;
  readonly known: string;
  /** Whether the next run has something to apply: the file is not as it was applied before. */
  readonly isPending: boolean;
  /**
   * Whether unfinished work stays: the next run continues it, or undoes it if the file was deleted. Of a statement that
   * was cancelled: whether the operator has to resolve it now.
   */
  readonly isKept?: true;
}

/**
 * Resolves an interrupted migration. Taking the lock waits for a server that still works on it.
 *
 * @param answer with `abandon` work of many steps is given up, and what it has made taken away; with `cancel` the
 * server ends the statement that it still does
 * @returns `undefined` when there was nothing to settle
 */
export async function resolve(
  session: Session,
  files: readonly MigrationFile[],
  path: string,
  answer: ResolveAnswer,
  signal?: AbortSignal,
): Promise<Resolution | undefined> {
  const { journal } = session;
  if (answer === "cancel") return await cancel(session, files, path, signal);
  const read = await journal.read([path], hashesOf(files));
  return await whileLocked(journal, read, async (entries) => {
    const entry = entries.get(path) ?? { path };
    const { applied, attempt } = entry;
    const file = files.find((file) => file.path === path);
    if (!mayHaveRun(attempt)) {
      return answer === "retry" && file ? await retryApplied(session, entry, file) : undefined;
    }
    const isPending = (recorded: FileContent | undefined) =>
      file !== undefined && !isSameContent(recorded, file);
    const known = await explain(session, attempt);
    if (answer === "abandon") {
      const done = isCutOff(entry) && await abandon(session, entry, signal);
      return done ? { file: path, known: done.message, isPending: isPending(applied) } : undefined;
    }
    if (attempt.resume) {
      // Its unfinished work has to be deleted or finished.
      if (answer !== "retry") throw interruption(session.connection, path, { ...attempt, known });
      return { file: path, known, isPending: file !== undefined, isKept: true };
    }
    if (answer === "applied" && file) await refuseObstacle(session, file, attempt);
    const about = { kind: applied?.kind, resource: applied?.resource, note: "resolved as applied" };
    const settled = answer === "applied"
      ? recordNow(attempt, session.owner, about, entry)
      : applied;
    await journal.write([{ path, ...(settled && { applied: settled }) }]);
    return { file: path, known, isPending: isPending(settled) };
  }, signal);
}

/** Undoes drift: a file whose requests do no harm twice is applied again. A database has no drift from one file. */
async function retryApplied(
  session: Session,
  entry: JournalEntry,
  file: MigrationFile,
): Promise<Resolution | undefined> {
  const executor = await session.executor();
  const { migrations: [migration] } = await classifyAll(executor, [file]);
  const isOther = hasOtherSecrets(entry.applied, file);
  const isRepeatSafe = executor.comparesFiles && migration?.repeatSafe;
  if (!migration || !(isOther || (isRepeatSafe && isSameContent(entry.applied, file)))) return;
  await session.journal.write([{ ...entry, attempt: attemptOf(migration, entry, session.owner) }]);
  const known = isOther ? "it was applied with another value of a secret" : "it was applied";
  return { file: file.path, known, isPending: true };
}

async function refuseObstacle(
  session: Session,
  file: MigrationFile,
  attempt: Attempt,
): Promise<void> {
  const executor = await session.executor();
  const { migrations: [migration] } = await classifyAll(executor, [file]);
  const left = migration && await executor.obstacle(migration);
  if (!left) return;
  const known = `it cannot be recorded as applied, as ${left}`;
  throw interruption(session.connection, file.path, { ...attempt, known });
}

async function cancel(
  { journal }: Session,
  files: readonly MigrationFile[],
  path: string,
  signal?: AbortSignal,
): Promise<Resolution | undefined> {
  const cancelled = await journal.cancel(path, signal);
  if (cancelled === undefined) return undefined;
  const { ended, entry: { applied, attempt } } = cancelled;
  const file = files.find((file) => file.path === path);
  const isPending = file !== undefined && !isSameContent(applied, file);
  return { file: path, known: ended, isPending, ...(mayHaveRun(attempt) && { isKept: true }) };
}
