import { jittered, pause, type WorkProgress } from "../../runner/mod.ts";
import type { Cluster } from "../cluster.ts";
import { field } from "../json_values.ts";
import type { ReindexSettings } from "../types.ts";
import { arrive, type Destination, takeAway } from "./arrivals.ts";
import { between, countOf, least, readProgress, refresh } from "./checkpoints.ts";
import { copyMarker, type CopyState, copyTarget } from "./copy_state.ts";
import { readByKey, readPage, type StoredDocument } from "./documents.ts";
import { KeyComparison } from "./key_comparison.ts";
import { isWriteBlocked } from "./refusals.ts";
import { type LiveIndex, readIndex, sizeOf } from "./live_index.ts";
import { backupName, namesBelow, nextBackup } from "./names.ts";
import { type IndexPair, REPLICAS } from "./pair.ts";
import { proveEqual } from "./proof.ts";
import { cancelTask, endOfCopy, runningCopies, startCopy } from "./server_copy.ts";
import { CopyRefusedError } from "./expect.ts";

/** What a copy works with. */
export interface CopyContext {
  readonly cluster: Cluster;
  readonly settings: ReindexSettings;
  readonly pair: IndexPair;
  /** Aliases that the file gives the index. */
  readonly aliases: LiveIndex["aliases"];
  /** Journals where the copy stands. */
  readonly save: (state: CopyState) => Promise<void>;
  readonly ensureHeld: () => Promise<void>;
  readonly onProgress: (progress: WorkProgress) => void;
  readonly signal?: AbortSignal | undefined;
}

/** What came of a copy. */
export interface CopyResult {
  readonly documents: number;
  /** How long writers had to wait, in milliseconds; absent where their owner had blocked them. */
  readonly pauseMs?: number;
}

/** Operations that are left when writers are made to wait. */
const FEW = 1000;
/** Operations above which the cluster copies once more by itself. */
const MANY = 20_000;
/** Rounds that may go by without getting shorter. */
const ROUNDS = 5;
/** How often writers may be made to wait for too long. */
const PAUSES = 3;
/** How often the cluster makes one copy that does not come to its end. */
const COPIES = 5;
/** Bytes of documents that one request carries, about. */
const PAGE_BYTES = 4_000_000;

/** Writers are let through, and it is tried again: they would have to wait too long, or it was not proven that none wrote. */
class PauseOverError extends Error {}

/** Copies a live index into a new one, in rounds, and lets that take its place. */
export class Copy {
  #state: CopyState;
  /** Documents in one page. */
  #page = 1000;
  /** Keys in one page. */
  #keys = 10_000;
  #shards = 1;
  #comparison: KeyComparison | undefined;
  /** When writers were made to wait, and until when they may be. */
  #blocked: { readonly since: number; readonly until: number } | undefined;

  constructor(private readonly context: CopyContext, state: CopyState) {
    this.#state = state;
  }

  get state(): CopyState {
    return this.#state;
  }

  /**
   * Goes on with the copy to its end. Signals are obeyed: writers are let through, and what the cluster copies goes on.
   *
   * @throws {CopyRefusedError} when it cannot be finished; the block is lifted, and the new index is still there
   * @throws {RefusedDocumentsError} for documents that the new index does not take; likewise
   */
  async run(): Promise<CopyResult> {
    const live = await this.#measure();
    await this.#copyAll();
    let pauses = 0;
    for (;;) {
      await this.#catchUp();
      const isBlockedByOwner = isWriteBlocked(live);
      const before = performance.now();
      const documents = await this.#takePlace(live, isBlockedByOwner);
      if (documents !== undefined) {
        return { documents, ...(!isBlockedByOwner && { pauseMs: performance.now() - before }) };
      }
      if (++pauses === PAUSES) {
        const seconds = Number(this.context.settings.writePauseMs) / 1000;
        throw new CopyRefusedError(
          `Writers of '${this.#state.name}' would have had to wait longer than ${seconds} s, ${PAUSES} times: allow a longer ` +
            "'migrations.write_pause', or run it when less is written and deleted",
        );
      }
    }
  }

  /** How large documents and pages are. */
  async #measure(): Promise<LiveIndex> {
    const { cluster } = this.context;
    const { from } = this.#state;
    const live = await readIndex(cluster, from);
    if (live === undefined) throw new CopyRefusedError(`The index '${from}' is not there any more`);
    const { documents, bytes } = await sizeOf(cluster, from);
    const window = Number(live.settings["index.max_result_window"] ?? 10_000);
    // What is on disk is compressed.
    const each = documents === 0 ? 1 : Math.max(1, bytes * 3 / documents);
    this.#page = Math.max(1, Math.min(1000, window, Math.floor(PAGE_BYTES / each)));
    this.#keys = Math.max(1, Math.min(10_000, window));
    this.#shards = Number(live.settings["index.number_of_shards"]);
    return live;
  }

  /** The first copy, of everything. */
  async #copyAll(): Promise<void> {
    if (this.#state.isCopied) return;
    if (this.#state.since === undefined) {
      // Before the copy: what is written from now on has a higher number, or is found by it.
      await this.#save({ phase: "copying", since: (await this.#progress()).written });
    }
    await refresh(this.context.cluster, this.#state.from);
    await this.#serverCopy("copying", undefined);
    await this.#save({ isCopied: true });
  }

  /** Copies what has a higher sequence number, by the cluster itself, and follows it. */
  async #serverCopy(message: string, after: number | undefined): Promise<void> {
    const { cluster, settings, signal, onProgress, ensureHeld } = this.context;
    const started = performance.now();
    for (let attempt = 1; attempt <= COPIES; attempt++) {
      const task = await this.#runningTask() ?? await this.#startCopy(after);
      const count = await endOfCopy(cluster, task, {
        signal,
        check: ensureHeld,
        onProgress: ({ done, total }) => {
          const rate = done / ((performance.now() - started) / 1000);
          const leftMs = rate > 0 ? (total - done) / rate * 1000 : undefined;
          onProgress({ message, done, total, rate, ...(leftMs !== undefined && { leftMs }) });
        },
      });
      const { task: _, ...rest } = this.#state;
      await this.#replace(rest);
      if (count !== undefined) {
        onProgress({ message, done: count.done, total: count.total });
        return;
      }
      await pause(jittered(1000), signal);
    }
    const hint = settings.pipeline === undefined ? "" : ", or its pipeline";
    throw new Error(
      `The cluster did not come to the end of a copy, ${COPIES} times: look into its log${hint}`,
    );
  }

  /** The task of the journal, or one whose id got lost; any other that writes into the new index is cancelled. */
  async #runningTask(): Promise<string | undefined> {
    const { task } = this.#state;
    const running = await this.#others();
    const ours = running.find((copy) =>
      task === undefined ? copy.opaqueId === this.#opaqueId() : copy.task === task
    );
    for (const other of running) if (other !== ours) await this.#cancel(other.task);
    if (ours && task === undefined) await this.#save({ task: ours.task });
    return task ?? ours?.task;
  }

  async #startCopy(after: number | undefined): Promise<string> {
    const { cluster, settings } = this.context;
    const { from, round } = this.#state;
    await this.#save({ round: round + 1 });
    await this.context.ensureHeld();
    const task = await startCopy(cluster, {
      from,
      into: copyTarget(this.#state),
      batch: this.#page,
      opaqueId: this.#opaqueId(),
      ...(after !== undefined && { after }),
      ...(settings.pipeline !== undefined && { pipeline: settings.pipeline }),
      ...(settings.requestsPerSecond !== undefined &&
        { requestsPerSecond: settings.requestsPerSecond }),
    });
    await this.#save({ task });
    return task;
  }

  #opaqueId(): string {
    return `${copyTarget(this.#state)}-${this.#state.round}`;
  }

  /** What writes into the new index. */
  #others() {
    return runningCopies(this.context.cluster, [this.#state.to, copyTarget(this.#state)]);
  }

  async #cancel(task: string): Promise<void> {
    await this.context.ensureHeld();
    await cancelTask(this.context.cluster, task);
  }

  /** Rounds until little is left, and what was deleted is gone. */
  async #catchUp(): Promise<void> {
    const { cluster } = this.context;
    let [shortest, idle] = [Infinity, 0];
    for (;;) {
      this.context.signal?.throwIfAborted();
      const seen = await this.#round("catching up");
      if (seen < FEW) break;
      idle = seen < shortest ? 0 : idle + 1;
      shortest = Math.min(shortest, seen);
      if (idle === ROUNDS) break;
    }
    this.context.onProgress({ message: "comparing what was deleted" });
    const to = this.#destination();
    const total = await countOf(cluster, this.#state.from);
    this.#comparison = new KeyComparison({
      cluster,
      size: this.#keys,
      total,
      from: { index: this.#state.from, shards: this.#shards },
      to: { index: this.#state.to, shards: await this.#newShards() },
      signal: this.context.signal,
    });
    await refresh(cluster, this.#state.to);
    await this.#comparison.prepare();
    await this.#compareKeys(to);
    await this.#restoreReplicas();
    await this.#round("catching up");
  }

  async #newShards(): Promise<number> {
    return Number(
      (await readIndex(this.context.cluster, this.#state.to))?.settings["index.number_of_shards"] ??
        1,
    );
  }

  /**
   * Makes everything arrive that has changed since the last round. What is deleted meanwhile is not seen.
   *
   * @returns how many operations there were
   */
  async #round(message: string): Promise<number> {
    const { cluster } = this.context;
    const since = this.#state.since!;
    const { written } = await this.#progress();
    await refresh(cluster, this.#state.from);
    const operations = between(since, written);
    if (operations > MANY && !this.#blocked) {
      await this.#serverCopy("copying what has changed", least(since));
    }
    // What starts from now on reads what we do; what started before could bring back what was replaced or deleted.
    for (const { task } of await this.#others()) await this.#cancel(task);
    const { task, ...rest } = this.#state;
    if (task !== undefined) await this.#replace(rest);
    const to = this.#destination();
    let done = 0;
    for (const [shard, after] of Object.entries(since)) {
      for await (const page of this.#pages(shard, after)) {
        await arrive(to, page);
        for (const document of page) this.#comparison?.arrived(document);
        done += page.length;
        this.context.onProgress({ message, done, total: Math.max(done, operations) });
      }
    }
    await this.#save({ since: written });
    return operations;
  }

  async *#pages(shard: string, since: number): AsyncIterable<readonly StoredDocument[]> {
    for (let after = since;;) {
      this.#checkTime();
      const page = await readPage(this.context.cluster, this.#state.from, {
        shard,
        after,
        size: this.#page,
      });
      if (page.length > 0) yield page;
      if (page.length < this.#page) return;
      after = page.at(-1)!.seqNo;
    }
  }

  /** Takes away what is not in the old index any more, and brings what should have been in the new one. */
  async #compareKeys(to: Destination): Promise<void> {
    const { cluster } = this.context;
    const { from } = this.#state;
    await this.#comparison!.compare({
      check: () => this.#checkTime(),
      extra: async (keys) => {
        const there = await readByKey(cluster, from, keys);
        const gone = keys.filter((_, position) => there[position] === undefined);
        if (gone.length > 0) await takeAway(to, gone);
        return gone;
      },
      missing: async (keys) => {
        const there = await readByKey(cluster, from, keys);
        const found = there.filter((document) => document !== undefined);
        if (found.length > 0) await arrive(to, found);
      },
      page: this.#page,
    });
  }

  /** Replicas of the new index are filled while writes still go on. */
  async #restoreReplicas(): Promise<void> {
    const { cluster, pair, signal } = this.context;
    const { restore = {}, from, to } = this.#state;
    const replicas = Object.fromEntries(
      Object.entries(restore).filter(([key]) => REPLICAS.includes(key)),
    );
    await pair.setNew(this.#state, replicas);
    const health = async (index: string, wait = "") => {
      const path = `/_cluster/health/${encodeURIComponent(index)}${wait}`;
      // A cluster that waits in vain answers 408.
      return (await cluster.send({ method: "GET", path }, { repeatSafe: true, signal })).json;
    };
    const wanted = String(field(await health(from), "status"));
    for (let attempt = 1; attempt <= 60; attempt++) {
      this.context.onProgress({ message: "filling replicas" });
      const found = await health(to, `?wait_for_status=${wanted}&timeout=5s`);
      if (field(found, "timed_out") === false) return;
      signal?.throwIfAborted();
    }
  }

  /**
   * Lets the new index take the place of the old one.
   *
   * @returns how many documents it has, or `undefined` when that took too long: writers have been let through
   */
  async #takePlace(live: LiveIndex, isBlockedByOwner: boolean): Promise<number | undefined> {
    const { pair, settings } = this.context;
    try {
      if (!isBlockedByOwner) {
        this.context.signal?.throwIfAborted();
        this.context.onProgress({ message: "writers wait" });
        const since = performance.now();
        const pauseMs = settings.writePauseMs === "none" ? 0 : settings.writePauseMs;
        this.#blocked = { since, until: since + pauseMs };
        await this.#save({ phase: "blocked" });
        await pair.block(this.#state);
      }
      return await this.#finish(live);
    } catch (error) {
      // A run that was taken over is told so, and does nothing more.
      await this.context.ensureHeld();
      const isSwitched = await this.#letThrough(isBlockedByOwner).catch(() => false);
      if (isSwitched) return await countOf(this.context.cluster, this.#state.to);
      if (error instanceof PauseOverError) return undefined;
      throw error;
    } finally {
      this.#blocked = undefined;
    }
  }

  /** What is done while writers wait. */
  async #finish(live: LiveIndex): Promise<number> {
    const { cluster, pair } = this.context;
    const { from, name } = this.#state;
    const destination = this.#destination();
    const end = await this.#progress();
    await this.#round("writers wait: catching up");
    let documents = await this.#count();
    if (documents.from !== documents.to) {
      await this.#compareKeys(destination);
      documents = await this.#count();
    }
    this.#checkTime();
    await proveEqual(destination, from, documents, Math.min(1000, this.#page));
    if (from === name && this.context.settings.oldIndices === "keep") await this.#backUp();
    const { restore = {} } = this.#state;
    await pair.setNew(this.#state, restore);
    this.#checkTime();
    const now = await readIndex(cluster, from);
    const { given } = await this.#progress();
    const isStill = now !== undefined && isWriteBlocked(now) && between(end.given, given) === 0 &&
      (await this.#others()).length === 0;
    if (!isStill) throw new PauseOverError();
    await pair.switchOver(this.#state, { ...live, aliases: now.aliases }, this.context.aliases);
    await this.#save({ phase: "done" });
    return documents.to;
  }

  async #count(): Promise<{ readonly from: number; readonly to: number }> {
    const { cluster } = this.context;
    const { from, to } = this.#state;
    await refresh(cluster, to);
    return { from: await countOf(cluster, from), to: await countOf(cluster, to) };
  }

  async #backUp(): Promise<void> {
    const { cluster, pair } = this.context;
    const { name, backups = [] } = this.#state;
    const taken = await namesBelow(cluster, name);
    const backup = backupName(name, nextBackup(name, [...taken, ...backups]));
    await this.#save({ backups: [...backups, backup] });
    await pair.backUp(this.#state, backup);
    this.#checkTime();
  }

  /**
   * Lifts a block of ours after something went wrong, as far as this run still may.
   *
   * @returns whether the new index has taken the place of the old one in spite of it
   */
  async #letThrough(isBlockedByOwner: boolean): Promise<boolean> {
    const { pair } = this.context;
    if (this.#state.phase === "done" || await pair.isSwitched(this.#state)) return true;
    if (isBlockedByOwner || this.#state.phase !== "blocked") return false;
    await pair.unblock(this.#state);
    await this.#save({ phase: "copying" });
    const made = await readIndex(this.context.cluster, this.#state.to);
    if (made) await pair.tune(this.#state, made);
    return false;
  }

  #destination(): Destination {
    const { cluster, settings, ensureHeld } = this.context;
    return {
      cluster,
      index: this.#state.to,
      marker: copyMarker(this.#state),
      check: ensureHeld,
      ...(settings.pipeline !== undefined && { pipeline: settings.pipeline }),
    };
  }

  #progress() {
    return readProgress(this.context.cluster, this.#state.from, this.#shards);
  }

  /** @throws {PauseOverError} when writers have waited long enough; the signal's reason when the run is stopped */
  #checkTime(): void {
    this.context.signal?.throwIfAborted();
    if (this.#blocked && performance.now() > this.#blocked.until) throw new PauseOverError();
  }

  async #save(change: Partial<CopyState>): Promise<void> {
    await this.#replace({ ...this.#state, ...change });
  }

  async #replace(state: CopyState): Promise<void> {
    this.#state = state;
    await this.context.save(state);
  }
}
