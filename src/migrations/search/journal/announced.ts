import { type Attempt, type JournalEntry, mayHaveRun, readTime } from "../../runner/mod.ts";
import type { Found, Stored } from "./documents.ts";
import { valuesOf } from "./records.ts";
import { field, listOf } from "../json/json_values.ts";

/** A file that a run announced in its lock, as it is stored there. */
export interface Announced {
  /** Of the file's record. */
  readonly id: string;
  readonly hash: string;
  readonly values_hash?: string;
  readonly secrets_check?: string;
  /** Absent as long as the file was not begun, as far as the lock says. */
  readonly state?: "running" | "partial";
  /** Whether doing it twice does no harm. */
  readonly repeat_safe?: boolean;
  /** When it was applied, for a file that is to be applied again although its record has this hash. */
  readonly again?: string;
  readonly owner?: string;
  readonly known?: string;
  readonly task?: string;
  readonly resume?: Attempt["resume"];
}

/** An attempt as it is stored. */
export function announcedOf(id: string, attempt: Attempt): Announced {
  const { hash, values, state, repeatSafe, owner, again, known, task, resume } = attempt;
  return {
    id,
    hash,
    ...(values && { values_hash: values.hash }),
    ...(values?.secrets !== undefined && { secrets_check: values.secrets }),
    ...(state !== "announced" && { state }),
    ...(repeatSafe !== undefined && { repeat_safe: repeatSafe }),
    ...(again && { again: again.toISOString() }),
    ...(owner !== undefined && { owner }),
    ...(known !== undefined && { known }),
    ...(task !== undefined && { task }),
    ...(resume && { resume }),
  };
}

/**
 * What the last run announced and did not record, by id. A run does one file after the other: of those that it only
 * announced, the first can have been received, and no other.
 */
export function attemptsIn({ lock, documents }: Stored): ReadonlyMap<string, Attempt> {
  const attempts = new Map<string, Attempt>();
  let isFirst = true;
  for (const announced of pendingOf(lock)) {
    const { id, state } = announced;
    if (isRecorded(announced, documents.get(id))) continue;
    const mayHaveBegun = state ?? (isFirst && !isLeft(announced, lock) ? "running" : "announced");
    if (state === undefined) isFirst = false;
    attempts.set(id, attemptOf(announced, mayHaveBegun, lock));
  }
  return attempts;
}

/** What the next run has to know of when this one stops: what was begun, and what is to be applied once more. */
export function isToBeKept(attempt: Attempt): boolean {
  return mayHaveRun(attempt) || attempt.again !== undefined;
}

/** Ids of what the lock has announced. */
export function announcedIds(lock: Found | undefined): readonly string[] {
  return pendingOf(lock).map(({ id }) => id);
}

/** Whether an entry says of a file what is stored of it already. */
export function isUnchanged(entry: JournalEntry, stored: JournalEntry["applied"]): boolean {
  const { applied } = entry;
  return applied?.hash === stored?.hash &&
    applied?.executedAt.getTime() === stored?.executedAt.getTime() &&
    String(applied?.leftBehind) === String(stored?.leftBehind);
}

function pendingOf(lock: Found | undefined): readonly Announced[] {
  return listOf(lock?.source.pending).filter((item): item is Announced =>
    typeof field(item, "id") === "string" && typeof field(item, "hash") === "string"
  );
}

function isRecorded(
  { hash, values_hash: values, again }: Announced,
  found: Found | undefined,
): boolean {
  if (!found) return false;
  const { content_hash: recorded, values_hash: filled, executed_at: at } = found.source;
  return recorded === hash && filled === values && (again === undefined || at !== again);
}

/** A run that gave its lock back has begun none of those that it leaves to be applied once more. */
function isLeft({ again }: Announced, lock: Found | undefined): boolean {
  return again !== undefined && lock?.source.state === "free";
}

function attemptOf(
  announced: Announced,
  state: Attempt["state"],
  lock: Found | undefined,
): Attempt {
  const { hash, repeat_safe: repeatSafe, again, owner, known, task, resume } = announced;
  const values = valuesOf(announced);
  return {
    hash,
    ...(values && { values }),
    state,
    ...(repeatSafe !== undefined && { repeatSafe }),
    owner: owner ?? String(lock?.source.owner),
    ...(again !== undefined && { again: readTime(again) }),
    ...(known !== undefined && { known }),
    ...(task !== undefined && { task }),
    ...(resume && { resume }),
  };
}
