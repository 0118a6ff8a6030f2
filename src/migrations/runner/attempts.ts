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

/** What is applied of a file: where an earlier run has begun it and its work goes on, with the secrets of then. */
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
  // What another content has begun in one step is not waited for.
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

/** What a file has left on the server, applied last or before: a record that replaces another must not forget it. */
export function leftBehindOf(
  before: JournalEntry | undefined,
  { leftBehind = [] }: Pick<Applied, "leftBehind"> = {},
): Pick<MigrationRecord, "leftBehind"> {
  const names = new Set([...before?.applied?.leftBehind ?? [], ...leftBehind]);
  return names.size === 0 ? {} : { leftBehind: [...names] };
}

/** The record of a content that is applied now. */
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

/** What the journal says of a file after it failed. Pure. @param before what it said before the file was begun */
export function entryAfterFailure(
  before: JournalEntry,
  attempt: Attempt,
  failure: ExecutionError,
): JournalEntry {
  const { effect, known, statements, goesOn, undone } = failure;
  const settled = settledOf(before, failure);
  if (effect === "none") {
    // What an earlier run may have done is as unsettled as it was.
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
      // Of work in the background that is over, what came of it is what counts.
      ...(goesOn && task !== undefined && { task }),
      ...defined({ known, statements }),
    },
  };
}
