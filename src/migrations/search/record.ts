import { sha256 } from "../runner/mod.ts";
import type { Found } from "./documents.ts";
import type { DocumentVersion, SearchMigration, SearchRecord } from "./types.ts";

const MAX_ID_BYTES = 512;

/** Identity of a file on the cluster: `<connection>/<path>`, or its SHA-256 where that is too long for an id. */
export async function idOf(connection: string, path: string): Promise<string> {
  const bytes = new TextEncoder().encode(`${connection}/${path}`);
  return bytes.length <= MAX_ID_BYTES ? `${connection}/${path}` : await sha256(bytes);
}

/** Whether a path is too long to be an id on the cluster. */
export function isLongId(connection: string, path: string): boolean {
  return new TextEncoder().encode(`${connection}/${path}`).length > MAX_ID_BYTES;
}

/** The record of a file that was just applied. */
export function recordOf(
  { file, kind, resource }: SearchMigration,
  about: Pick<SearchRecord, "executedAt" | "executedBy" | "durationMs" | "version" | "note">,
): SearchRecord {
  return { path: file.path, hash: file.hash, kind, resource, ...about };
}

/** A record as it is stored. */
export function sourceOf(connection: string, record: SearchRecord): Record<string, unknown> {
  return withoutGaps({
    migration_path: record.path,
    connection,
    content_hash: record.hash,
    executed_at: record.executedAt.toISOString(),
    executed_by: record.executedBy,
    duration_ms: record.durationMs === undefined ? undefined : Math.round(record.durationMs),
    kind: record.kind,
    resource: record.resource,
    note: record.note,
    seq_no: record.version?.seqNo,
    primary_term: record.version?.primaryTerm,
  });
}

/** A stored record, whoever wrote it: what is not there or of another type is left out. */
export function readRecord({ source }: Found): SearchRecord {
  return withoutGaps<SearchRecord>({
    path: String(source.migration_path),
    hash: String(source.content_hash),
    executedAt: dateOf(source.executed_at),
    executedBy: textOf(source.executed_by),
    durationMs: numberOf(source.duration_ms),
    kind: textOf(source.kind),
    resource: textOf(source.resource),
    note: textOf(source.note),
    version: versionOf(numberOf(source.seq_no), numberOf(source.primary_term)),
  });
}

/** Records by path; a record under our id counts more than one that another program wrote. */
export function byPath(
  connection: string,
  documents: ReadonlyMap<string, Found>,
): ReadonlyMap<string, SearchRecord> {
  const records = new Map<string, SearchRecord>();
  for (const [id, found] of documents) {
    if (found.source.connection !== connection) continue;
    const record = readRecord(found);
    const isOurs = id === `${connection}/${record.path}` || isLongId(connection, record.path);
    if (isOurs || !records.has(record.path)) records.set(record.path, record);
  }
  return records;
}

function dateOf(value: unknown): Date {
  const text = typeof value === "string" ? value : "";
  // Other programs write `2026-01-31 12:00:00`, without a zone: UTC, as clusters read it.
  const iso = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text) ? `${text.replace(" ", "T")}Z` : text;
  const date = typeof value === "number" ? new Date(value) : new Date(iso);
  return Number.isNaN(date.getTime()) ? new Date(0) : date;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

function versionOf(seqNo?: number, primaryTerm?: number): DocumentVersion | undefined {
  return seqNo === undefined || primaryTerm === undefined ? undefined : { seqNo, primaryTerm };
}

function withoutGaps<T extends object>(value: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as T;
}
