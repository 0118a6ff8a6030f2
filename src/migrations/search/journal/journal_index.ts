import {
  type Attempt,
  type DocumentVersion,
  type Journal,
  type JournalEntry,
  type JournalState,
  LockedError,
  type MigrationRecord,
} from "../../runner/mod.ts";
import { Documents, type Found, type Stored } from "./documents.ts";
import { RECORDS } from "./own_indices.ts";
import type { Write } from "./writes.ts";
import {
  type Announced,
  announcedIds,
  announcedOf,
  attemptsIn,
  idOf,
  isToBeKept,
  isUnchanged,
  pathOf,
  recordOf,
  recordsByPath,
  sourceOf,
} from "./records.ts";
import type { Cluster } from "../cluster/cluster.ts";
import { isHeld, isLongOver, isStale, Lease, LeaseWatch } from "./lease.ts";
import type { SearchEnvironment } from "../types.ts";

/**
 * Records and their characters in one request: small nodes at Amazon accept 10 MiB. Few requests are better, because a run
 * that is killed between two of them leaves a part of the records.
 */
const PAGE = { records: 10_000, characters: 2_500_000 };

/**
 * The journal of a search cluster: one document for each file in `framework_migrations` (reference 2.7), and one for each
 * connection in `framework_migrations_lock`, which is the lock and lists the announced files of its run.
 */
export class IndexJournal implements Journal {
  readonly #documents: Documents;
  readonly #lease: Lease;
  readonly #ids = new Map<string, string>();
  #foreign: ReadonlyMap<string, MigrationRecord> = new Map();
  readonly #stored = new WeakMap<JournalState, Stored>();
  #records = new Map<string, Found>();
  readonly #attempts = new Map<string, Attempt>();

  constructor(
    cluster: Cluster,
    private readonly connection: string,
    private readonly environment: SearchEnvironment,
    private readonly signal?: AbortSignal,
  ) {
    this.#documents = new Documents(cluster, connection);
    this.#lease = new Lease(this.#documents, connection, environment);
  }

  async read(paths: readonly string[]): Promise<JournalState> {
    const stored = await this.#load(paths);
    // Before the first run on a connection there may be records of the framework that wrote them first.
    const { lock, missing, documents } = stored;
    if (lock === undefined && !missing.includes(RECORDS) && documents.size < paths.length) {
      this.#foreign = await this.#allRecords();
    }
    return this.#stateOf(paths, stored);
  }

  async list(): Promise<ReadonlyMap<string, JournalEntry>> {
    await this.#documents.refresh(RECORDS, this.signal);
    const records = await this.#allRecords();
    return new Map([...records].map(([path, applied]) => [path, { path, applied }]));
  }

  async #allRecords(): Promise<ReadonlyMap<string, MigrationRecord>> {
    return recordsByPath(this.connection, await this.#documents.search(this.signal));
  }

  async lock(
    state: JournalState,
    plan: (state: JournalState) => Promise<ReadonlyMap<string, Attempt>>,
    signal?: AbortSignal,
  ): Promise<void> {
    const paths = [...this.#ids.keys()];
    const watch = new LeaseWatch(this.#lease, signal);
    for (let current = state;;) {
      const stored = this.#stored.get(current)!;
      const { lock } = stored;
      if (watch.sees(lock)) await watch.wait(lock);
      else if (await this.#take(current, stored, await plan(current))) {
        if (isHeld(lock)) {
          this.environment.onNotice(`Took over from ${lock.source.owner}, whose lock had expired`);
        }
        return;
      } else await watch.overtaken(lock);
      current = this.#stateOf(paths, await this.#load(paths));
    }
  }

  // deno-lint-ignore require-await -- a throw has to become a rejection
  async ensureHeld(): Promise<void> {
    this.#lease.ensureHeld();
  }

  async write(
    entries: readonly JournalEntry[],
    { release = false }: { readonly release?: boolean } = {},
  ): Promise<void> {
    const writes: Write[] = [];
    const settled = new Set<string>();
    let isNews = false;
    for (const entry of entries) {
      const id = await this.#idOf(entry.path);
      if (entry.attempt) {
        const { task, resume, known } = this.#attempts.get(id) ?? {};
        isNews ||= entry.attempt.task !== task || entry.attempt.resume !== resume ||
          (known !== undefined && entry.attempt.known === undefined);
        this.#attempts.set(id, entry.attempt);
      } else settled.add(id);
      const before = this.#records.get(id);
      if (entry.applied && !isUnchanged(entry.applied, before && recordOf(before))) {
        const source = sourceOf(this.connection, entry.path, entry.applied);
        writes.push({ index: RECORDS, id, source, expected: before?.version ?? "none" });
      }
    }
    // If this run dies, the next one must not repeat the work, and continues from here.
    if (isNews) await this.#lease.announce(this.#pending(() => true));
    const left = (attempt: Attempt, id: string) => isToBeKept(attempt) && !settled.has(id);
    await this.#record(writes, release ? this.#pending(left) : undefined);
    // Until now, files that could not be recorded stay unsettled when the lock is released.
    for (const id of settled) this.#attempts.delete(id);
  }

  /** A cluster ends what it does by itself; its tasks are followed. */
  cancel(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  async unlock(): Promise<void> {
    await this.#lease.release(this.#pending(isToBeKept));
  }

  async abandon(): Promise<void> {
    await this.#lease.abandon();
  }

  /** Takes the lock, and writes into it what the next run has to know if this one dies. */
  async #take(
    { entries, unsettled }: JournalState,
    stored: Stored,
    announced: ReadonlyMap<string, Attempt>,
  ): Promise<boolean> {
    await this.#documents.createIndices(stored.missing);
    this.#attempts.clear();
    // The files of this run come first: the first of them may have been received if it dies.
    for (const [path, attempt] of announced) this.#attempts.set(await this.#idOf(path), attempt);
    for (const { path, attempt, applied } of entries.values()) {
      // Deleted files may be restored, and their unfinished work has to be resolved then, unless it may be sent again.
      const isOver = attempt?.repeatSafe === true && !applied && !attempt.task && !attempt.resume;
      if (attempt && !announced.has(path) && isToBeKept(attempt) && !isOver) {
        this.#attempts.set(await this.#idOf(path), attempt);
      }
    }
    if (!await this.#lease.take(stored.lock, this.#pending(() => true))) return false;
    this.#records = new Map(stored.documents);
    try {
      if (unsettled) await this.#adopt(entries);
    } catch (error) {
      await this.unlock().catch(() => {}); // The first error matters.
      throw error;
    }
    return true;
  }

  async #adopt(entries: JournalState["entries"]): Promise<void> {
    const writes: Write[] = [];
    for (const { path, applied } of entries.values()) {
      const id = await this.#idOf(path);
      if (applied === undefined || this.#records.has(id)) continue;
      const source = sourceOf(this.connection, path, applied);
      writes.push({ index: RECORDS, id, source, expected: "none" });
    }
    await this.#record(writes);
  }

  async #record(writes: readonly Write[], left?: readonly Announced[]): Promise<void> {
    const lock = left && await this.#lease.releasing(left);
    for (let start = 0, end = 0; start < writes.length || (lock && start === 0); start = end) {
      end = endOfPage(writes, start);
      const page = writes.slice(start, end);
      const isLast = end >= writes.length;
      if (!lock) this.#lease.ensureHeld();
      const versions = await this.#documents.write(lock && isLast ? [...page, lock] : page);
      for (const [index, write] of page.entries()) await this.#recorded(write, versions[index]);
      if (lock && isLast) await this.#lease.released(versions.at(-1));
    }
  }

  async #recorded(write: Write, version: DocumentVersion | undefined): Promise<void> {
    const { id, source } = write;
    const found = version
      ? { source, version }
      : (await this.#documents.read([id])).documents.get(id);
    // A write whose first answer was lost conflicts with itself; one behind the release of a lock, with a run that was faster.
    const isSame = ["content_hash", "values_hash"].every((hash) =>
      found?.source[hash] === source[hash]
    );
    if (found === undefined || !isSame) {
      const who = found === undefined
        ? "another client has deleted"
        : `${found.source.executed_by} has written`;
      const message = `The record of '${source.migration_path}' was changed meanwhile: ${who} it`;
      throw new LockedError(this.#documents.cluster.name, message);
    }
    this.#records.set(id, found);
  }

  #pending(isWanted: (attempt: Attempt, id: string) => boolean): readonly Announced[] {
    return [...this.#attempts].filter(([id, attempt]) => isWanted(attempt, id))
      .map(([id, attempt]) => announcedOf(id, attempt));
  }

  async #load(paths: readonly string[]): Promise<Stored> {
    const ids = new Set<string>();
    for (const path of paths) ids.add(await this.#idOf(path));
    const stored = await this.#documents.read([...ids], this.signal);
    // An interrupted run may have recorded files that are not asked for, or were deleted.
    const others = announcedIds(stored.lock).filter((id) => !ids.has(id));
    if (others.length === 0) return stored;
    const { documents } = await this.#documents.read(others, this.signal);
    return { ...stored, documents: new Map([...stored.documents, ...documents]) };
  }

  #stateOf(paths: readonly string[], stored: Stored): JournalState {
    const { documents, lock } = stored;
    const attempts = attemptsIn(stored);
    const byId = new Map(paths.map((path) => [this.#ids.get(path)!, path]));
    for (const id of attempts.keys()) {
      if (byId.has(id)) continue;
      const path = pathOf(this.connection, id);
      this.#ids.set(path, id);
      byId.set(id, path);
    }
    const entries = new Map<string, JournalEntry>();
    let unsettled = false;
    for (const [id, path] of byId) {
      const found = documents.get(id);
      const applied = found ? recordOf(found) : this.#foreign.get(path);
      if (applied && !found) unsettled = true;
      const attempt = attempts.get(id);
      entries.set(path, { path, ...(applied && { applied }), ...(attempt && { attempt }) });
    }
    const lockedBy = holderOf(lock);
    // Every run takes the lock, and its document stays.
    const isNew = lock === undefined && [...entries.values()].every(({ applied }) => !applied);
    const state: JournalState = {
      entries,
      unsettled,
      ...(isNew && { isNew }),
      ...(lockedBy && { lockedBy }),
    };
    this.#stored.set(state, stored);
    return state;
  }

  async #idOf(path: string): Promise<string> {
    const id = this.#ids.get(path) ?? await idOf(this.connection, path);
    this.#ids.set(path, id);
    return id;
  }
}

function holderOf(lock: Found | undefined): JournalState["lockedBy"] {
  if (!isHeld(lock) || isLongOver(lock)) return undefined;
  return { owner: String(lock.source.owner), stale: isStale(lock) };
}

function endOfPage(writes: readonly Write[], start: number): number {
  let [end, characters] = [start, 0];
  do characters += JSON.stringify(writes[end++] ?? "").length; while (
    end < writes.length && end < start + PAGE.records && characters < PAGE.characters
  );
  return end;
}
