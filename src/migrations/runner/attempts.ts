import { defined } from "../../text/mod.ts";
import type { ExecutionError } from "./errors.ts";
import { contentOf, type FileContent, isSameContent } from "./hash.ts";
import type {
  Applied,
  Attempt,
  JournalEntry,
  LockHolder,
  Migration,
  MigrationRecord,
} from "./types.ts";

export type BegunAttempt = Attempt & { readonly state: "running" | "partial" };

export function isAtWork(holder: LockHolder | undefined): holder is LockHolder & { stale: false } {
  return holder !== undefined && !holder.stale;
}

export function mayHaveRun(attempt: Attempt | undefined): attempt is BegunAttempt {
  return attempt !== undefined && attempt.state !== "announced";
}

/** The applied content of a file: if an earlier run began it and its work goes on, with the secrets of that run. */
export function contentOfWork(
  file: FileContent,
  { attempt }: Pick<JournalEntry, "attempt">,
): FileContent {
  const goesOn = mayHaveRun(attempt) &&
    (attempt.task !== undefined || attempt.resume !== undefined);
  return contentOf(goesOn && isSameContent(attempt, file) ? attempt : file);
}

/** A file as it is announced; what an earlier run may have done of it stays so until the file is recorded. */
export function attemptOf(
  { file, repeatSafe }: Migration,
  entry: JournalEntry,
  owner: string,
): Attempt {
  const { applied, attempt } = entry;
  const { task, resume } = mayHaveRun(attempt) ? attempt : {};
  // A task that another content began in one step is not waited for.
  const isOurs = resume !== undefined || (attempt && isSameContent(attempt, file));
  return {
    ...contentOfWork(file, entry),
    state: mayHaveRun(attempt) ? "running" : "announced",
    repeatSafe,
    owner,
    // A record of the same content does not say that it was applied once more.
    ...(applied && isSameContent(applied, file) && { again: applied.executedAt }),
    ...(isOurs && task !== undefined && { task }),
    ...(resume && { resume }),
  };
}

/** The remains of a file on the server, applied last or before: a record that replaces another must not forget them. */
export function leftBehindOf(
  before: JournalEntry | undefined,
  { leftBehind = [] }: Pick<Applied, "leftBehind"> = {},
): Pick<MigrationRecord, "leftBehind"> {
  const names = new Set([...before?.applied?.leftBehind ?? [], ...leftBehind]);
  return names.size === 0 ? {} : { leftBehind: [...names] };
}

export function recordNow(
  content: FileContent,
  owner: string,
  about: Partial<Pick<MigrationRecord, "durationMs" | "kind" | "resource" | "note" | "version">>,
  before: JournalEntry | undefined,
  left?: Pick<Applied, "leftBehind">,
): MigrationRecord {
  const by = { executedAt: new Date(), executedBy: owner };
  return { ...contentOf(content), ...by, ...defined(about), ...leftBehindOf(before, left) };
}

/** An entry without its attempt: what was recorded before, and what was replaced and left since. */
export function settledOf(entry: JournalEntry, left?: Pick<Applied, "leftBehind">): JournalEntry {
  const { path, attempt } = entry;
  const leftBehind = leftBehindOf(entry, left);
  // A replacement was applied, although no run recorded it.
  const isReplaced = (left?.leftBehind?.length ?? 0) > 0 && attempt !== undefined;
  const applied = entry.applied ??
    (isReplaced ? { ...contentOf(attempt), executedAt: new Date() } : undefined);
  return { path, ...(applied && { applied: { ...applied, ...leftBehind } }) };
}

/** The journal entry of a file after it failed. Pure. @param before the entry before the file was begun */
export function entryAfterFailure(
  before: JournalEntry,
  attempt: Attempt,
  failure: ExecutionError,
): JournalEntry {
  const { effect, known, statements, goesOn, undone } = failure;
  const settled = settledOf(before, failure);
  if (effect === "none") {
    // The work of an earlier run is as unsettled as it was.
    if (mayHaveRun(before.attempt) && !undone) return { ...before, ...settled };
    const { task: _, resume: __, ...announced } = attempt;
    return attempt.again ? { ...settled, attempt: { ...announced, state: "announced" } } : settled;
  }
  const { task, ...begun } = attempt;
  return {
    ...settled,
    attempt: {
      ...begun,
      state: effect === "partial" ? "partial" : "running",
      // For work in the background that is over, only the result counts.
      ...(goesOn && task !== undefined && { task }),
      ...defined({ known, statements }),
    },
  };
}
