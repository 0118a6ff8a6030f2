import type { Applied, ApplyOptions, History, Session } from "../migrations/mod.ts";
import { MigrationFailedError } from "../migrations/mod.ts";
import { errorType, failureOf } from "./answer.ts";
import type { Cluster } from "./cluster.ts";
import {
  Documents,
  idOf,
  recordOf,
  RECORDS,
  recordSource,
  type Stored,
  type Write,
} from "./history.ts";
import { type Announced, Lock } from "./lock.ts";
import { upsertPolicy } from "./policy.ts";
import type { DocumentVersion, SearchEnvironment, SearchMigration, SearchRecord } from "./types.ts";

/** What came of one file, before it is recorded. */
interface Done {
  readonly note?: string;
  readonly version?: DocumentVersion;
}

/** One run on one search cluster. */
export class SearchSession implements Session<SearchMigration> {
  readonly #cluster: Cluster;
  readonly #connection: string;
  readonly #environment: SearchEnvironment;
  readonly #documents: Documents;
  readonly #lock: Lock;
  /** Ids by path. */
  readonly #ids = new Map<string, string>();
  /** What a history was made of. */
  readonly #stored = new WeakMap<History, Stored>();

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

  async read(migrations: readonly SearchMigration[]): Promise<History> {
    for (const { file } of migrations) {
      this.#ids.set(file.path, await idOf(this.#connection, file.path));
    }
    return this.#historyOf(migrations, await this.#load(migrations));
  }

  async lock(
    migrations: readonly SearchMigration[],
    history: History,
    pending: readonly SearchMigration[],
  ): Promise<History> {
    const stored = this.#stored.get(history)!;
    await this.#documents.createIndices(stored.missing);
    const announced = pending.map((migration) => this.#announced(migration));
    const held = await this.#lock.acquire(stored, announced, () => this.#load(migrations));
    return held === stored ? history : this.#historyOf(migrations, held);
  }

  async apply(migration: SearchMigration, options: ApplyOptions): Promise<Applied> {
    this.#lock.ensureHeld();
    const started = performance.now();
    const { note, version } = await this.#send(migration, options.previous);
    const source = recordSource(this.#connection, migration, {
      executedAt: new Date(),
      executedBy: this.#environment.owner,
      durationMs: performance.now() - started,
      note,
      version,
    });
    const record: Write = { index: RECORDS, id: this.#ids.get(migration.file.path)!, source };
    // A bulk is not atomic: what must not run twice is recorded before the lock is given back.
    if (options.last && migration.repeatSafe) {
      await this.#documents.write([record, await this.#lock.releasing()]);
      this.#lock.released();
    } else {
      await this.#documents.write([record]);
    }
    return { outcome: "applied", ...(note !== undefined && { note }) };
  }

  unlock(): Promise<void> {
    return this.#lock.release();
  }

  async close(): Promise<void> {
    await this.#cluster.close();
  }

  async #send(migration: SearchMigration, previous?: SearchRecord): Promise<Done> {
    const { kind, request, repeatSafe, policy } = migration;
    if (kind === "policy" && policy === "ism") {
      return await upsertPolicy(this.#cluster, this.#connection, migration, previous?.version);
    }
    if (kind === "index") return await this.#createIndex(migration);
    const answer = await this.#cluster.send(request, { repeatSafe });
    const failure = failureOf(answer);
    if (failure !== undefined) throw this.#refused(migration, answer.host, failure);
    return {};
  }

  /** Creates an index unless something of its name exists (reference 4.4 rules 6 and 8). */
  async #createIndex(migration: SearchMigration): Promise<Done> {
    const { request } = migration;
    const existing = { note: "the index exists already and was left as it is" };
    const probe = { method: "HEAD", path: request.path };
    if ((await this.#cluster.send(probe, { repeatSafe: true })).status === 200) return existing;
    const answer = await this.#cluster.send(request, { repeatSafe: true });
    if (errorType(answer) === "resource_already_exists_exception") return existing;
    const failure = failureOf(answer);
    if (failure !== undefined) throw this.#refused(migration, answer.host, failure);
    return {};
  }

  #refused(
    { file, request }: SearchMigration,
    host: string,
    failure: string,
  ): MigrationFailedError {
    const what = `${request.method} ${request.path.split("?")[0]}`;
    return new MigrationFailedError(
      this.#connection,
      file.path,
      `${host} refused ${what}: ${failure}`,
    );
  }

  #load(migrations: readonly SearchMigration[]): Promise<Stored> {
    return this.#documents.read(migrations.map(({ file }) => this.#ids.get(file.path)!));
  }

  #historyOf(migrations: readonly SearchMigration[], stored: Stored): History {
    const records = new Map<string, SearchRecord>();
    const paths = new Map<string, string>();
    for (const { file } of migrations) {
      const id = this.#ids.get(file.path)!;
      paths.set(id, file.path);
      const found = stored.documents.get(id);
      if (found) records.set(file.path, recordOf(found));
    }
    const interrupted = Lock.interrupted(stored).flatMap(({ id, hash }) => {
      const path = paths.get(id);
      const recorded = path !== undefined && records.get(path)?.hash === hash;
      return path === undefined || recorded ? [] : [{ path, hash }];
    });
    const history = { records, interrupted };
    this.#stored.set(history, stored);
    return history;
  }

  #announced({ file }: SearchMigration): Announced {
    return { id: this.#ids.get(file.path)!, hash: file.hash };
  }
}
