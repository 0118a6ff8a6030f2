import { defined, hexDigest } from "../../../text/mod.ts";
import {
  type Attempt,
  type FileValues,
  mayHaveRun,
  type MigrationRecord,
  readTime,
} from "../../runner/mod.ts";
import { field, listOf, numberOf, stringOf } from "../json/json_values.ts";
import type { Found, Stored } from "./documents.ts";

const MAX_ID_BYTES = 512;

/** The id of a file on the cluster: `<connection>/<path>`, or its SHA-256 where that is too long. */
export async function idOf(connection: string, path: string): Promise<string> {
  const id = `${connection}/${path}`;
  return isLongId(connection, path) ? await hexDigest(id) : id;
}

export function isLongId(connection: string, path: string): boolean {
  return new TextEncoder().encode(`${connection}/${path}`).length > MAX_ID_BYTES;
}

/** The path of an id, or the id itself where it is a hash. */
export function pathOf(connection: string, id: string): string {
  return id.startsWith(`${connection}/`) ? id.slice(connection.length + 1) : id;
}

export function sourceOf(
  connection: string,
  path: string,
  { version, ...record }: MigrationRecord,
): Record<string, unknown> {
  return defined({
    migration_path: path,
    connection,
    content_hash: record.hash,
    values_hash: record.values?.hash,
    secrets_check: record.values?.secrets,
    executed_at: record.executedAt.toISOString(),
    executed_by: record.executedBy,
    duration_ms: record.durationMs === undefined ? undefined : Math.round(record.durationMs),
    kind: record.kind,
    resource: record.resource,
    note: record.note,
    seq_no: version?.seqNo,
    primary_term: version?.primaryTerm,
    left_behind: record.leftBehind,
  });
}

/** A stored record of any writer; members of a wrong type count as missing. */
export function recordOf({ source }: Found): MigrationRecord {
  return defined<MigrationRecord>({
    hash: String(source.content_hash),
    values: valuesOf(source),
    executedAt: readTime(source.executed_at),
    executedBy: stringOf(source.executed_by),
    durationMs: numberOf(source.duration_ms),
    kind: stringOf(source.kind),
    resource: stringOf(source.resource),
    note: stringOf(source.note),
    version: versionOf(numberOf(source.seq_no), numberOf(source.primary_term)),
    leftBehind: Array.isArray(source.left_behind)
      ? source.left_behind.filter((item) => typeof item === "string")
      : undefined,
  });
}

export function recordsByPath(
  connection: string,
  documents: ReadonlyMap<string, Found>,
): ReadonlyMap<string, MigrationRecord> {
  const records = new Map<string, MigrationRecord>();
  const ours = new Set<string>();
  for (const [id, found] of documents) {
    if (found.source.connection !== connection) continue;
    const path = String(found.source.migration_path);
    const isOurs = id === `${connection}/${path}` || isLongId(connection, path);
    const record = recordOf(found);
    const other = records.get(path);
    const isNewer = other === undefined || other.executedAt < record.executedAt;
    if (isOurs || (isNewer && !ours.has(path))) records.set(path, record);
    if (isOurs) ours.add(path);
  }
  return records;
}

function valuesOf(
  source: { readonly values_hash?: unknown; readonly secrets_check?: unknown },
): FileValues | undefined {
  const hash = stringOf(source.values_hash);
  const secrets = stringOf(source.secrets_check);
  return hash === undefined ? undefined : defined<FileValues>({ hash, secrets });
}

function versionOf(seqNo?: number, primaryTerm?: number): MigrationRecord["version"] {
  return seqNo === undefined || primaryTerm === undefined ? undefined : { seqNo, primaryTerm };
}

export interface Announced extends Pick<Attempt, "hash" | "owner" | "known" | "task" | "resume"> {
  readonly id: string;
  readonly values_hash?: string;
  readonly secrets_check?: string;
  /** Absent until the file is begun, as far as the lock shows. */
  readonly state?: "running" | "partial";
  readonly repeat_safe?: boolean;
  /** When it was applied, for a file that is applied again although its record has this hash. */
  readonly again?: string;
}

export function announcedOf(id: string, attempt: Attempt): Announced {
  const { hash, values, state, repeatSafe, owner, again, known, task, resume } = attempt;
  return defined<Announced>({
    id,
    hash,
    values_hash: values?.hash,
    secrets_check: values?.secrets,
    state: state === "announced" ? undefined : state,
    repeat_safe: repeatSafe,
    again: again?.toISOString(),
    owner,
    known,
    task,
    resume,
  });
}

/** The announced files that the last run did not record, by id: only the first can have been received. */
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

export function isUnchanged(applied: MigrationRecord, stored?: MigrationRecord): boolean {
  return applied.hash === stored?.hash &&
    applied.executedAt.getTime() === stored.executedAt.getTime() &&
    String(applied.leftBehind) === String(stored.leftBehind);
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
  return defined<Attempt>({
    hash,
    values: valuesOf(announced),
    state,
    repeatSafe,
    owner: owner ?? String(lock?.source.owner),
    again: again === undefined ? undefined : readTime(again),
    known,
    task,
    resume,
  });
}
