import type { Interruption } from "../runner/mod.ts";
import type { Stored } from "./documents.ts";
import { announcedIn } from "./lock.ts";
import { readRecord } from "./record.ts";
import { resourceOf } from "./resource.ts";
import type { Announced, SearchHistory, SearchMigration, SearchRecord } from "./types.ts";

/** What to know to read a history out of what is stored. */
export interface HistoryContext {
  /** In order. */
  readonly migrations: readonly SearchMigration[];
  /** Id of a file's record. */
  readonly idOf: (path: string) => string;
  /** Records that another program wrote, by path. */
  readonly foreign: ReadonlyMap<string, SearchRecord>;
}

/** What is stored, in terms of files. Pure. */
export function historyOf(stored: Stored, context: HistoryContext): SearchHistory {
  const { migrations, idOf, foreign } = context;
  const records = new Map<string, SearchRecord>();
  const paths = new Map<string, string>();
  let unsettled = false;
  for (const { file: { path } } of migrations) {
    const id = idOf(path);
    paths.set(id, path);
    const found = stored.documents.get(id);
    const record = found ? readRecord(found) : foreign.get(path);
    if (record) records.set(path, record);
    if (record && !found) unsettled = true;
  }
  const left = remaining(stored);
  const leftAgain = left.filter(({ again }) => again).map(({ id }) => paths.get(id) ?? "");
  const again = followers(migrations, records, new Set(leftAgain));
  return { records, interrupted: interruption(left[0], paths), again, unsettled };
}

/** What the last run announced and did not do, in its order. */
export function remaining({ lock, documents }: Stored): readonly Announced[] {
  return announcedIn(lock).filter(({ id, hash, again }) => {
    const found = documents.get(id);
    if (!found) return true;
    const { content_hash: recorded, executed_at: at } = found.source;
    return recorded !== hash || at === again;
  });
}

/** What a run has to announce: what is new, what changed, what has to be done again. */
export function announce(history: SearchHistory, context: HistoryContext): readonly Announced[] {
  return context.migrations.flatMap(({ file: { path, hash } }): Announced[] => {
    const id = context.idOf(path);
    const record = history.records.get(path);
    if (record?.hash !== hash) return [{ id, hash }];
    return history.again.has(path) ? [{ id, hash, again: record.executedAt.toISOString() }] : [];
  });
}

/** A run does one file after the other: only the first that it did not record can have been received. */
function interruption(
  first: Announced | undefined,
  paths: ReadonlyMap<string, string>,
): readonly Interruption[] {
  const path = first && !first.again ? paths.get(first.id) : undefined;
  return first && path !== undefined ? [{ path, hash: first.hash }] : [];
}

/** Files that replace a resource as a whole, where an earlier file for it is going to be applied. */
function followers(
  migrations: readonly SearchMigration[],
  records: ReadonlyMap<string, SearchRecord>,
  left: ReadonlySet<string>,
): ReadonlySet<string> {
  const again = new Set<string>();
  const pending = new Set<string>();
  for (const migration of migrations) {
    const { path, hash } = migration.file;
    const isPending = records.get(path)?.hash !== hash;
    const resource = resourceOf(migration);
    if (resource === undefined || resource.effect === "part") {
      if (!isPending && left.has(path)) again.add(path);
      continue;
    }
    if (!isPending && (left.has(path) || pending.has(resource.key))) again.add(path);
    if (isPending || again.has(path)) pending.add(resource.key);
  }
  return again;
}
