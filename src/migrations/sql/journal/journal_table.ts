import {
  type Attempt,
  type Journal,
  type JournalEntry,
  type JournalState,
  LockedError,
  mayHaveRun,
  retry,
  withWaitNotice,
} from "../../runner/mod.ts";
import { DatabaseError, NOT_KEPT } from "../errors.ts";
import { failOf } from "../failure.ts";
import { changeOf, createTable, type Records, recordsOf, TABLE, upgradeTable } from "./records.ts";
import type { Command, Database, SqlEnvironment } from "../types.ts";

const END_MS = 5000;

/**
 * The journal of a database: one row for each file in `framework_migrations` (reference 2.7). Files that are one
 * transaction with their row are written by the executor, all others by this.
 */
export class TableJournal implements Journal {
  /** The rows of the table when it was read, and those written since; absent without a table. */
  #records: Records | undefined;
  #paths: readonly string[] = [];
  #hashes: ReadonlyMap<string, string> = new Map();
  /** Whether files were begun that are done statement by statement: their session is not ours. */
  #isAtWork = false;
  #reportedOlderTable = false;
  readonly #reportedMoves = new Set<string>();

  constructor(
    private readonly database: Database,
    private readonly connection: string,
    private readonly environment: SqlEnvironment,
    private readonly recordedAs: string = connection,
  ) {}

  async read(
    paths: readonly string[],
    hashes: ReadonlyMap<string, string> = new Map(),
  ): Promise<JournalState> {
    this.#paths = paths;
    this.#hashes = hashes;
    return await this.#mapErrors(async () => {
      await this.#load();
      const owner = await this.#holder();
      return this.#state(owner === undefined ? {} : { lockedBy: { owner, stale: false } });
    });
  }

  async list(): Promise<ReadonlyMap<string, JournalEntry>> {
    return await this.#mapErrors(async () => {
      await this.#load();
      return new Map(this.#records?.entries);
    });
  }

  async lock(
    _state: JournalState,
    plan: (state: JournalState) => Promise<ReadonlyMap<string, Attempt>>,
    signal?: AbortSignal,
  ): Promise<void> {
    try {
      await this.#mapErrors(async () => {
        await this.#takeLock(signal);
        await this.#loadLocked(signal);
        await this.#prepareTable();
        await this.#rehearse();
      });
      // Each file is announced when it begins; before that nothing of it can have been done.
      await plan(this.#state());
    } catch (error) {
      await this.database.unlock().catch(() => {});
      throw error;
    }
  }

  async ensureHeld(): Promise<void> {
    await this.#mapErrors(() => this.database.ensureHeld());
  }

  async write(
    entries: readonly JournalEntry[],
    { release = false }: { readonly release?: boolean } = {},
  ): Promise<void> {
    this.#isAtWork ||= entries.some(({ attempt }) => attempt !== undefined);
    const known = this.#records?.entries ?? new Map<string, JournalEntry>();
    const commands = entries.flatMap((entry) => {
      return changeOf(this.#name, known.get(entry.path), entry) ?? [];
    });
    await this.#mapErrors(async () => {
      await this.#withWaitNotice(() => this.database.write(commands, { apart: this.#isAtWork }));
      for (const entry of entries) {
        if (entry.applied || entry.attempt) known.set(entry.path, entry);
        else known.delete(entry.path);
      }
      if (release) await this.database.unlock();
    });
  }

  async unlock(): Promise<void> {
    await this.#mapErrors(() => this.database.unlock());
  }

  async cancel(path: string, signal?: AbortSignal): ReturnType<Journal["cancel"]> {
    const { database, connection } = this;
    try {
      return await this.#mapErrors(async () => {
        await this.#takeLock(signal);
        await this.#load();
        const entry = this.#records?.entries.get(path) ?? { path };
        const ended = await database.endOrphan(path, mayHaveRun(entry.attempt));
        if (ended === undefined) return undefined;
        const isGone = async () => await database.orphan() === undefined || undefined;
        const isEnded = await retry(isGone, { timeoutMs: END_MS, signal });
        if (isEnded) return { ended: `ended ${ended}`, entry };
        const message = `The server was asked to end ${ended}, which lasts longer than ` +
          `${END_MS / 1000} s: rolling back its work takes time`;
        throw new LockedError(connection, message);
      });
    } finally {
      await database.unlock().catch(() => {});
    }
  }

  get #name() {
    return { table: this.database.table, connection: this.recordedAs };
  }

  #mapErrors<T>(action: () => Promise<T>): Promise<T> {
    return action().catch(failOf(this.connection));
  }

  #withWaitNotice<T>(action: () => Promise<T>): Promise<T> {
    const { lockTimeoutMs, noticeMs, onNotice } = this.environment;
    // deno-lint-ignore require-await -- a throw has to become a rejection
    return withWaitNotice(action, async () => {
      onNotice(
        `Access to the history table, ${this.database.table}, takes long: ` +
          `if another session has locked it, this fails after ${lockTimeoutMs / 1000} s`,
      );
      return true;
    }, noticeMs);
  }

  async #load(before: readonly Command[] = []): Promise<string | undefined> {
    const { table, orphan } = await this.#withWaitNotice(() => this.database.read(before));
    this.#records = table && recordsOf(table, this.recordedAs, this.#hashes);
    this.#reportOlderTable();
    for (const [from, to] of this.#records?.moved ?? []) {
      if (this.#reportedMoves.has(to)) continue;
      this.#reportedMoves.add(to);
      this.environment.onNotice(`'${from}' was moved to '${to}' and keeps its record`);
    }
    return orphan;
  }

  #state(more: Pick<JournalState, "lockedBy"> = {}): JournalState {
    const { entries = new Map<string, JournalEntry>(), foreign, isEmpty, moved, others = [] } =
      this.#records ?? {};
    const wanted = new Set(this.#paths);
    const found = [...entries].filter(([path, { attempt }]) =>
      wanted.has(path) || mayHaveRun(attempt)
    );
    const unsettled = this.#paths.some((path) => foreign?.has(path)) || (moved?.size ?? 0) > 0;
    // A run may have been cut off between the table and its first row.
    const isNew = isEmpty !== false && entries.size === 0;
    const first = { ...(isNew && { isNew }), ...(entries.size === 0 && { others: [...others] }) };
    return { entries: new Map(found), unsettled, ...first, ...more };
  }

  async #holder(): Promise<string | undefined> {
    for (let running = this.#running(); running !== "";) {
      const holder = await this.database.holder();
      if (holder !== undefined) return holder;
      // Without a lock they are left over, unless that run has ended in the meantime.
      await this.#load();
      const before = running;
      running = this.#running();
      if (running === before) return await this.database.orphan();
    }
  }

  #running(): string {
    const running = [...this.#records?.entries.values() ?? []].filter(({ attempt }) =>
      attempt?.state === "running"
    );
    return running.length === 0 ? "" : JSON.stringify(running);
  }

  async #takeLock(signal?: AbortSignal): Promise<void> {
    const { lockTimeoutMs, onNotice } = this.environment;
    const seconds = lockTimeoutMs / 1000;
    const isTaken = await retry(async () => await this.database.tryLock() || undefined, {
      timeoutMs: lockTimeoutMs,
      onWait: async () =>
        onNotice(`Waiting up to ${seconds} s for another run${await this.#other()}`),
      signal,
    });
    if (isTaken) return;
    const other = await this.#other();
    const message = `Waited ${seconds} s for another run${other}`;
    throw new LockedError(this.connection, message, other.slice(2) || undefined);
  }

  async #other(): Promise<string> {
    const holder = await this.database.holder();
    return holder === undefined ? "" : `: ${holder}`;
  }

  async #loadLocked(signal?: AbortSignal): Promise<void> {
    const { lockTimeoutMs, onNotice } = this.environment;
    const { table, types } = this.database;
    let before = this.#records === undefined ? [createTable(table, types)] : [];
    const seconds = lockTimeoutMs / 1000;
    let orphan: string | undefined;
    const isGone = await retry(async () => {
      orphan = await this.#load(before);
      before = [];
      return orphan === undefined ? true : undefined;
    }, {
      timeoutMs: lockTimeoutMs,
      onWait: () => onNotice(`Waiting up to ${seconds} s: of an earlier run ${orphan}`),
      signal,
    });
    if (isGone) return;
    const message =
      `Of an earlier run ${orphan}: until it ends, the state of its file is unknown; ` +
      `gave up after ${seconds} s; 'resolve <file> --cancel' ends it`;
    throw new LockedError(this.connection, message);
  }

  async #prepareTable(): Promise<void> {
    const records = this.#records;
    if (records === undefined) return;
    const { database } = this;
    if (records.missing.length > 0 || records.foreign.size > 0 || records.moved.size > 0) {
      await database.write(upgradeTable(this.#name, database.types, records, this.#hashes));
    }
    this.#records = { ...records, missing: [], foreign: new Set(), moved: new Map() };
  }

  /** Finds out before any file is applied whether the database keeps rows as they are written. */
  async #rehearse(): Promise<void> {
    const [path, hash] = [`rehearsal ${crypto.randomUUID()}`, "0".repeat(64)];
    const begun: JournalEntry = { path, attempt: { hash, state: "running", repeatSafe: false } };
    const done: JournalEntry = { path, applied: { hash, executedAt: new Date(), durationMs: 1 } };
    const change = (before: JournalEntry | undefined, after: JournalEntry) =>
      changeOf(this.#name, before, after)!;
    const commands = [change(undefined, begun), change(begun, done), change(done, done)];
    await this.database.write(commands, { isRehearsal: true }).catch((error) => {
      if (!(error instanceof DatabaseError) || error.kind !== "overtaken") throw error;
      throw new DatabaseError("history", NOT_KEPT);
    });
  }

  #reportOlderTable(): void {
    const { foreign } = this.#records ?? {};
    const without = this.#paths.filter((path) => foreign?.has(path));
    if (without.length === 0 || this.#reportedOlderTable) return;
    this.#reportedOlderTable = true;
    this.environment.onNotice(
      `The table '${TABLE}' has ${without.length} of these files without a hash, as an older framework ` +
        "wrote it: they count as applied as they are now",
    );
  }
}
