import { type Attempt, type JournalEntry, mayHaveRun, readTime } from "../../runner/mod.ts";
import type { Found, Stored } from "./documents.ts";
import { valuesOf } from "./records.ts";
import { field, listOf } from "../json/json_values.ts";

/** A file that a run announced in its lock, as stored. */
export interface Announced {
  readonly id: string;
  readonly hash: string;
  readonly values_hash?: string;
  readonly secrets_check?: string;
  /** Absent until the file is begun, as far as the lock shows. */
  readonly state?: "running" | "partial";
  readonly repeat_safe?: boolean;
  /** When it was applied, for a file that is applied again although its record has this hash. */
  readonly again?: string;
  readonly owner?: string;
  readonly known?: string;
  readonly task?: string;
  readonly resume?: Attempt["resume"];
}

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
 * The announced files that the last run did not record, by id. A run applies files one after the other, so of those that
 * it only announced the cluster can have received the first alone.
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

/** Whether the next run has to know it: begun work, and files to be applied again. */
export function isToBeKept(attempt: Attempt): boolean {
  return mayHaveRun(attempt) || attempt.again !== undefined;
}

export function announcedIds(lock: Found | undefined): readonly string[] {
  return pendingOf(lock).map(({ id }) => id);
}

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

/** A run that released its lock has begun none of the files that it leaves to be applied again. */
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
