import { NO_HISTORY } from "./first_run.ts";
import { hashesOf, isSameContent } from "./hash.ts";
import { compareCodePoints } from "./order.ts";
import { isAtWork, mayHaveRun } from "./attempts.ts";
import { isSameButLineEnds } from "./prepare.ts";
import type { FileStatus } from "./results.ts";
import type {
  Attempt,
  JournalEntry,
  LockHolder,
  Migration,
  MigrationFile,
  Session,
} from "./types.ts";

export interface ConnectionStatus {
  readonly files: readonly FileStatus[];
  readonly lockedBy?: LockHolder;
}

export async function statusOf<M extends Migration>(
  { journal, executor }: Session<M>,
  files: readonly MigrationFile[],
): Promise<ConnectionStatus> {
  const { entries, lockedBy } = await journal.read(files.map(({ path }) => path), hashesOf(files));
  // What was read by name is newer than what a search finds.
  const all = new Map([...await journal.list(), ...entries]);
  all.delete(NO_HISTORY);
  const needsExecutor = files.some((file) => {
    const { applied, attempt } = all.get(file.path) ?? {};
    return attempt !== undefined || (applied && !isSameContent(applied, file));
  }) || [...all.values()].some(({ attempt }) => mayHaveRun(attempt));
  const loaded = needsExecutor ? await executor() : undefined;
  const isGoingOn = isAtWork(lockedBy);
  // By the clock of this machine, which may be wrong.
  const unless = lockedBy?.stale ? `, unless ${lockedBy.owner} is still at work` : "";
  // The progress of work in many steps is known while a run continues, too.
  const explain = (attempt: Attempt | undefined) =>
    mayHaveRun(attempt) && (!isGoingOn || attempt.resume)
      ? `${loaded?.explain(attempt) ?? "its result is unknown"}${unless}`
      : undefined;
  const found: FileStatus[] = [];
  for (const file of files) {
    const entry = all.get(file.path);
    all.delete(file.path);
    const known = explain(entry?.attempt);
    const recorded = await recordedState(file, entry, loaded?.ignoresLineEnds === true);
    const state = stateOf(recorded, isGoingOn ? undefined : entry?.attempt);
    found.push({ file: file.path, state, ...executionOf(entry), ...(known && { known }) });
  }
  for (const entry of all.values()) {
    const known = explain(entry.attempt);
    if (entry.applied === undefined && known === undefined) continue;
    found.push({
      file: entry.path,
      state: "missing",
      ...executionOf(entry),
      ...(known && { known }),
    });
  }
  found.sort((a, b) => compareCodePoints(a.file, b.file));
  return { files: found, ...(lockedBy && { lockedBy }) };
}

function stateOf(
  recorded: FileStatus["state"],
  attempt: Attempt | undefined,
): FileStatus["state"] {
  const isSettled = recorded === "applied";
  if (mayHaveRun(attempt)) return attempt.repeatSafe && !isSettled ? recorded : "interrupted";
  return isSettled && attempt?.again ? "changed" : recorded;
}

async function recordedState(
  file: MigrationFile,
  entry: JournalEntry | undefined,
  ignoresLineEnds: boolean,
): Promise<FileStatus["state"]> {
  if (entry?.applied === undefined) return "pending";
  const { hash } = entry.applied;
  if (isSameContent(entry.applied, file)) return "applied";
  const isSame = ignoresLineEnds && await isSameButLineEnds(await file.read(), hash);
  return isSame ? "applied" : "changed";
}

function executionOf(entry?: JournalEntry): Pick<FileStatus, "executedAt" | "executedBy"> {
  if (entry?.applied === undefined) return {};
  const { executedAt, executedBy } = entry.applied;
  return { executedAt, ...(executedBy !== undefined && { executedBy }) };
}
