import type { Applied, ApplyOptions, Drift, Preview } from "../runner/mod.ts";
import { RECORDS } from "./_indices.ts";
import { applyFile } from "./apply.ts";
import type { Cluster } from "./cluster.ts";
import { Documents, type Stored, type Write } from "./documents.ts";
import { UncertainError } from "./errors.ts";
import { announce, type HistoryContext, historyOf, remaining } from "./history.ts";
import { driftOf, previewOf } from "./inspect.ts";
import { announcedIn, Lock } from "./lock.ts";
import { byPath, idOf, recordOf, sourceOf } from "./record.ts";
import type {
  Announced,
  SearchEnvironment,
  SearchHistory,
  SearchInspection,
  SearchMigration,
  SearchRecord,
} from "./types.ts";

/** Records that one request of {@linkcode SearchSession.record} writes. */
const PAGE = 500;

/** One run on one search cluster. */
export class SearchSession implements SearchInspection {
  readonly #cluster: Cluster;
  readonly #connection: string;
  readonly #environment: SearchEnvironment;
  readonly #documents: Documents;
  readonly #lock: Lock;
  /** Ids by path. */
  readonly #ids = new Map<string, string>();
  /** Records that another program wrote, by path. */
  #foreign: ReadonlyMap<string, SearchRecord> = new Map();
  /** What a history was made of. */
  readonly #stored = new WeakMap<SearchHistory, Stored>();
  /** What the next run has to know of if this one stops now. */
  #left: readonly Announced[] = [];
  #begun = false;
  /** Id of the file that an earlier run was cut off in. */
  #resumed: string | undefined;
  /** What the lock says. */
  #announced: readonly Announced[] = [];

  constructor(cluster: Cluster, connection: string, environment: SearchEnvironment) {
    this.#cluster = cluster;
    this.#connection = connection;
    this.#environment = environment;
    this.#documents = new Documents(cluster, connection);
    this.#lock = new Lock(this.#documents, connection, environment);
  }

  get requests(): number {
    return this.#cluster.requests;
  }

  async read(migrations: readonly SearchMigration[]): Promise<SearchHistory> {
    for (const { file: { path } } of migrations) {
      this.#ids.set(path, await idOf(this.#connection, path));
    }
    const stored = await this.#load(migrations);
    if (this.#mayHaveForeign(migrations, stored)) {
      this.#foreign = byPath(this.#connection, await this.#documents.search());
    }
    return this.#historyOf(migrations, stored);
  }

  async lock(
    migrations: readonly SearchMigration[],
    history: SearchHistory,
    _pending: readonly SearchMigration[],
  ): Promise<SearchHistory> {
    const stored = this.#stored.get(history)!;
    const held = await this.#acquire(migrations, stored);
    const current = held === stored ? history : this.#historyOf(migrations, held);
    if (current.unsettled) await this.#rewriteForeign(held);
    return current;
  }

  async apply(migration: SearchMigration, options: ApplyOptions): Promise<Applied> {
    this.#begin();
    const started = performance.now();
    const { path, hash } = migration.file;
    const ensureHeld = () => this.#lock.ensureHeld();
    const announced: Announced = { id: this.#idOf(path), hash };
    const context = {
      cluster: this.#cluster,
      connection: this.#connection,
      ensureHeld,
      resumed: this.#resumed === announced.id,
    };
    const { note, version } = await applyFile(context, migration, options.previous)
      .catch((error) => {
        if (error instanceof UncertainError) this.#left = [announced, ...this.#left];
        throw error;
      });
    // Until it is recorded, the next run must not do it again.
    if (!migration.repeatSafe) this.#left = [announced, ...this.#left];
    else ensureHeld();
    const about = {
      executedAt: new Date(),
      executedBy: this.#environment.owner,
      durationMs: performance.now() - started,
      ...(note !== undefined && { note }),
      ...(version && { version }),
    };
    await this.#record(recordOf(migration, about), options.last && migration.repeatSafe);
    this.#left = this.#left.filter(({ id }) => id !== announced.id);
    return { outcome: "applied", ...(note !== undefined && { note }) };
  }

  unlock(): Promise<void> {
    return this.#lock.release(this.#left);
  }

  async close(): Promise<void> {
    await this.#lock.abandon();
    await this.#cluster.close();
  }

  async all(): Promise<ReadonlyMap<string, SearchRecord>> {
    return byPath(this.#connection, await this.#documents.search({ refresh: true }));
  }

  async record(migrations: readonly SearchMigration[]): Promise<void> {
    const history = await this.read(migrations);
    await this.#acquire(migrations, this.#stored.get(history)!);
    const about = { executedAt: new Date(), executedBy: this.#environment.owner };
    const writes = migrations.map((migration): Write =>
      this.#writeOf({ ...recordOf(migration, about), note: "recorded without applying it" })
    );
    try {
      for (let start = 0; start < writes.length; start += PAGE) {
        this.#lock.ensureHeld();
        await this.#documents.write(writes.slice(start, start + PAGE));
      }
    } finally {
      await this.unlock();
    }
  }

  async resolve(migration: SearchMigration, outcome: "applied" | "retry"): Promise<boolean> {
    const history = await this.read([migration]);
    const held = await this.#acquire([migration], this.#stored.get(history)!);
    const { path } = migration.file;
    const [interruption] = this.#historyOf([migration], held).interrupted;
    try {
      if (interruption === undefined) return false;
      if (outcome === "applied") {
        const about = { executedAt: new Date(), executedBy: this.#environment.owner };
        const record = { ...recordOf(migration, about), hash: interruption.hash };
        await this.#record({ ...record, note: "resolved as applied" }, false);
      }
      // What that run announced after it was never sent.
      this.#left = this.#left.filter(({ id, again }) =>
        again !== undefined && id !== this.#idOf(path)
      );
      return true;
    } finally {
      await this.unlock();
    }
  }

  preview(migration: SearchMigration, previous?: SearchRecord): Promise<Preview> {
    return previewOf(this.#cluster, migration, previous);
  }

  drift(migrations: readonly SearchMigration[]): Promise<readonly Drift<SearchMigration>[]> {
    return driftOf(this.#cluster, migrations);
  }

  /** Takes the lock, with everything in it that the next run has to know if this one dies. */
  async #acquire(migrations: readonly SearchMigration[], stored: Stored): Promise<Stored> {
    await this.#documents.createIndices(stored.missing);
    const repeatSafe = new Map(migrations.map(({ file, repeatSafe }) => [file.path, repeatSafe]));
    const announced = (current: Stored) => {
      const history = this.#historyOf(migrations, current);
      const undecided = history.interrupted.some(({ path }) => repeatSafe.get(path) === false);
      this.#announced = undecided
        ? remaining(current)
        : announce(history, this.#contextOf(migrations));
      return this.#announced;
    };
    const held = await this.#lock.acquire(stored, announced, () => this.#load(migrations));
    this.#left = remaining(held);
    this.#resumed = this.#left[0]?.id;
    return held;
  }

  /** From the first file on, what an earlier run left is either refused by the plan or done by this one. */
  #begin(): void {
    if (this.#begun) return;
    this.#begun = true;
    this.#left = this.#announced.filter(({ again }) => again !== undefined);
  }

  /** Writes a record, and with `release` gives the lock back by the same request. */
  async #record(record: SearchRecord, release: boolean): Promise<void> {
    // A bulk is not atomic: what must not run twice is recorded before the lock is given back.
    if (!release) {
      await this.#documents.write([this.#writeOf(record)]);
      return;
    }
    await this.#documents.write([this.#writeOf(record), await this.#lock.releasing()]);
    this.#lock.released();
  }

  #writeOf(record: SearchRecord): Write {
    const source = sourceOf(this.#connection, record);
    return { index: RECORDS, id: this.#idOf(record.path), source };
  }

  /** Records of another program get our ids, and are found by them from now on. */
  async #rewriteForeign({ documents }: Stored): Promise<void> {
    const records = [...this.#foreign.values()].filter(({ path }) =>
      this.#ids.has(path) && !documents.has(this.#idOf(path))
    );
    await this.#documents.write(records.map((record) => this.#writeOf(record)));
  }

  /** Before our first run on a connection there may be records of the framework that had them first. */
  #mayHaveForeign(migrations: readonly SearchMigration[], { lock, missing, documents }: Stored) {
    return lock === undefined && !missing.includes(RECORDS) && documents.size < migrations.length;
  }

  async #load(migrations: readonly SearchMigration[]): Promise<Stored> {
    const ids = new Set(migrations.map(({ file }) => this.#idOf(file.path)));
    const stored = await this.#documents.read([...ids]);
    // After a run that was cut off: whether files that are not asked for, or gone, were recorded by it.
    const others = announcedIn(stored.lock).filter(({ id }) => !ids.has(id)).map(({ id }) => id);
    if (others.length === 0) return stored;
    const { documents } = await this.#documents.read(others);
    return { ...stored, documents: new Map([...stored.documents, ...documents]) };
  }

  #historyOf(migrations: readonly SearchMigration[], stored: Stored): SearchHistory {
    const history = historyOf(stored, this.#contextOf(migrations));
    this.#stored.set(history, stored);
    return history;
  }

  #contextOf(migrations: readonly SearchMigration[]): HistoryContext {
    return { migrations, idOf: (path) => this.#idOf(path), foreign: this.#foreign };
  }

  #idOf(path: string): string {
    return this.#ids.get(path)!;
  }
}
