import { allOrStop, inParallel } from "../../migrations/runner/mod.ts";
import { arrive, type Destination, takeAway } from "./arrivals.ts";
import {
  atMost,
  between,
  countOf,
  least,
  readProgress,
  refresh,
  type ShardProgress,
  SHARDS_AT_ONCE,
} from "./checkpoints.ts";
import { copyMarker } from "./copy_state.ts";
import { Deletions } from "./deletions.ts";
import { type DocumentKey, readByKey, readPage, type StoredDocument } from "./documents.ts";
import { CopyRefusedError, StepError } from "./expect.ts";
import { KeyComparison } from "./key_comparison.ts";
import { type LiveIndex, readIndex, sizeOf } from "./live_index.ts";
import { bringFields } from "./in_place.ts";
import { type CopyContext, TaskCopies } from "./task_copies.ts";

const FEW = 1000;
/** Operations above which the cluster copies once more by itself. */
const MANY = 100_000;
/** Operations by which shards may differ, to be brought by the first round. */
const UNEVEN = 20_000;
const IDLE_ROUNDS = 5;
/** Operations that are too many to let writers wait for. */
const BACKLOG = 50_000;
const KEYS = 10_000;
/** Documents in one page: at first, and at most; bytes that are wanted in it. */
const PAGE = { first: 100, most: 1000, bytes: 2_000_000 };

interface Sizes {
  /** Hits that a search gives at most. */
  readonly window: number;
  /** Documents that make a request of a size that a node takes, about. */
  readonly page: number;
  readonly from: number;
  readonly to: number;
}

export class Rounds {
  readonly tasks: TaskCopies;
  /** What is known of deletions since the copy was begun; not by a run that goes on with it, nor once it was not enough. */
  #deletions: Deletions | undefined;
  #comparison: KeyComparison | undefined;

  private constructor(
    private readonly context: CopyContext,
    private readonly sizes: Sizes,
    private readonly check: () => void,
    slices: number | "auto",
  ) {
    const batch = Math.min(PAGE.most, sizes.window, sizes.page);
    this.tasks = new TaskCopies(context, batch, slices);
  }

  static async of(context: CopyContext, check: () => void): Promise<Rounds> {
    const { cluster, state: { current } } = context;
    const from = await readIndex(cluster, current.from);
    const to = await readIndex(cluster, current.to);
    if (from === undefined || to === undefined) {
      const gone = from === undefined ? current.from : current.to;
      throw new CopyRefusedError(`The index '${gone}' no longer exists`);
    }
    const numberOf = (index: LiveIndex, name: string, usual: number) =>
      Number(index.settings[`index.${name}`] ?? usual);
    const windows = [from, to].map((index) => numberOf(index, "max_result_window", KEYS));
    const shards = numberOf(from, "number_of_shards", 1);
    const slices = numberOf(from, "max_slices_per_scroll", shards) < shards ? 1 : "auto";
    const { documents, bytes } = await sizeOf(cluster, current.from);
    // What is on disk is compressed.
    const each = documents === 0 ? 1 : Math.max(1, bytes * 3 / documents);
    return new Rounds(
      context,
      {
        page: Math.max(1, Math.floor(PAGE.bytes * 2 / each)),
        window: Math.max(1, Math.min(KEYS, ...windows)),
        from: shards,
        to: numberOf(to, "number_of_shards", 1),
      },
      check,
      slices,
    );
  }

  get window(): number {
    return this.sizes.window;
  }

  progress(): Promise<ShardProgress> {
    const { cluster, state: { current } } = this.context;
    return readProgress(cluster, current.from, this.sizes.from);
  }

  async copyAll(): Promise<void> {
    const { cluster, state } = this.context;
    if (state.current.isCopied) return;
    const { from, since } = state.current;
    let upTo: number | undefined;
    if (since === undefined) {
      // Before the copy: what has a number up to it is found by the copy, and what has a higher one by the next round.
      const { written, given } = await this.progress();
      await refresh(cluster, from);
      const documents = await countOf(cluster, from);
      this.#deletions = await Deletions.begin(cluster, from, this.sizes.from, documents);
      const floor = atMost(written, least(written));
      // Where shards are about as far, nothing is copied but what is known: what comes later is seen by a round.
      const isEven = between(floor, written) <= UNEVEN;
      upTo = isEven ? least(written) : Math.max(...Object.values(given));
      await state.change({ since: isEven ? floor : written });
    } else await refresh(cluster, from);
    const onLook = () => this.#withDeletions((deletions) => deletions.touch());
    await allOrStop([
      (signal) => this.#withDeletions((deletions) => deletions.note(state.current.since!, signal)),
      (signal) =>
        this.tasks.copy("copying", { ...(upTo !== undefined && { upTo }), onLook, signal }),
    ]);
    await state.change({ isCopied: true });
  }

  async catchUp(): Promise<void> {
    const { cluster, state: { current } } = this.context;
    const catchUp = async () => {
      await this.#rounds();
      await this.#prepareComparison();
      await this.takeAwayDeleted();
      if (this.#deletions || this.#comparison) return;
      await this.#prepareComparison();
      await this.takeAwayDeleted();
    };
    // What was copied has to be found some time; it takes its time, and writers do not wait yet.
    await allOrStop([catchUp, () => refresh(cluster, current.to)]);
  }

  async settle(): Promise<void> {
    await this.#rounds();
    await refresh(this.context.cluster, this.context.state.current.to);
  }

  async #rounds(): Promise<void> {
    let [shortest, idle] = [Infinity, 0];
    let operations = Infinity;
    while (operations >= FEW && idle < IDLE_ROUNDS) {
      operations = await this.round();
      idle = operations < shortest ? 0 : idle + 1;
      shortest = Math.min(shortest, operations);
    }
    if (operations < BACKLOG) return;
    const { from } = this.context.state.current;
    throw new CopyRefusedError(
      `Writes to '${from}' are faster than the copy: ${operations} operations are left after each round; ` +
        "run the migration when there are fewer writes",
    );
  }

  async #prepareComparison(): Promise<void> {
    if (this.#deletions) return;
    const { cluster, state: { current }, onProgress, signal } = this.context;
    onProgress({ message: "comparing what was deleted" });
    this.#comparison = new KeyComparison({
      cluster,
      size: this.sizes.window,
      total: await countOf(cluster, current.from),
      from: { index: current.from, shards: this.sizes.from },
      to: { index: current.to, shards: this.sizes.to },
      signal,
    });
    // What rounds have brought since is not noted anywhere else.
    await refresh(cluster, current.to);
    await this.#comparison.prepare();
  }

  /** Lets go of what the cluster keeps: without what is known of deletions, all keys are compared from now on. */
  async end(): Promise<void> {
    const deletions = this.#deletions;
    this.#deletions = undefined;
    await deletions?.end();
  }

  /**
   * Does what needs the point in time. Where the cluster has lost it, as after the restart of a node, all keys are compared
   * in place of it: a new one would not show what was copied and then deleted.
   */
  async #withDeletions(work: (deletions: Deletions) => Promise<void>): Promise<void> {
    const deletions = this.#deletions;
    if (!deletions) return;
    try {
      await work(deletions);
    } catch (error) {
      const isLost = error instanceof StepError &&
        (error.answer.status === 404 || /search_context_missing_exc/.test(error.answer.text));
      if (!isLost) throw error;
      this.context.onProgress({ message: "the point in time is lost: all ids will be compared" });
      await this.end();
    }
  }

  /** Makes everything arrive that has changed since the last round. What was deleted meanwhile is not seen. */
  async round(isLast = false): Promise<number> {
    const { cluster, state, onProgress } = this.context;
    const { since = {}, from } = state.current;
    const { written } = await this.progress();
    await refresh(cluster, from);
    const live = await readIndex(cluster, from);
    if (live) await bringFields(cluster, state.current, live, () => this.#mayWrite());
    const operations = between(since, written);
    if (operations > MANY && !isLast) {
      await this.tasks.copy("copying what has changed", { after: least(since) });
    }
    // What starts from now on reads what we do; what started before could bring back what was replaced or deleted.
    await this.tasks.cancelAll();
    let done = 0;
    await inParallel(Object.entries(since), SHARDS_AT_ONCE, async ([shard, after]) => {
      for await (const page of this.#pages(shard, after)) {
        await arrive(this.destination(), page);
        this.#deletions?.arrived(shard, page);
        for (const document of page) this.#comparison?.arrived(document);
        done += page.length;
        onProgress({
          message: isLast ? "writers wait" : "catching up",
          done,
          total: Math.max(done, operations),
        });
      }
    });
    await state.change({ since: written });
    return operations;
  }

  async takeAwayDeleted(): Promise<void> {
    const { cluster, state: { current: { from, to } } } = this.context;
    const extra = async (keys: readonly DocumentKey[]) => {
      const there = await readByKey(cluster, from, keys);
      const gone = keys.filter((key, position) =>
        there[position]?.routing !== key.routing ||
        there[position] === undefined
      );
      // Another document of the same id may have taken its place.
      const copied = await readByKey(cluster, to, gone);
      const left = gone.filter((key, position) =>
        copied[position] !== undefined && copied[position].routing === key.routing
      );
      if (left.length > 0) await takeAway(this.destination(), left);
      return gone;
    };
    await this.#withDeletions(async (deletions) => {
      await refresh(cluster, from);
      await deletions.find(extra, this.check);
    });
    await this.#comparison?.compare({
      check: this.check,
      extra,
      missing: async (keys) => {
        const there = await readByKey(cluster, from, keys);
        await arrive(this.destination(), there.filter((document) => document !== undefined));
      },
      page: Math.min(PAGE.first, this.sizes.window),
    });
  }

  async count(): Promise<{ readonly from: number; readonly to: number }> {
    const { cluster, state: { current: { from, to } } } = this.context;
    await refresh(cluster, to);
    return { from: await countOf(cluster, from), to: await countOf(cluster, to) };
  }

  destination(): Destination {
    const { cluster, settings, state: { current } } = this.context;
    return {
      cluster,
      from: current.from,
      index: current.to,
      marker: copyMarker(current),
      check: () => this.#mayWrite(),
      ...(settings.pipeline !== undefined && { pipeline: settings.pipeline }),
    };
  }

  async #mayWrite(): Promise<void> {
    this.check();
    await this.context.ensureHeld();
  }

  /** Documents of a shard in the order of their numbers; pages are as large as documents let them be. */
  async *#pages(shard: string, since: number): AsyncIterable<readonly StoredDocument[]> {
    const { cluster, state: { current } } = this.context;
    const most = Math.min(PAGE.most, this.sizes.window);
    let size = Math.min(PAGE.first, this.sizes.page, most);
    for (let after = since;;) {
      this.check();
      const page = await readPage(cluster, current.from, { shard, after, size });
      if (page.length > 0) yield page;
      if (page.length < size) return;
      after = page.at(-1)!.seqNo;
      const bytes = page.reduce((sum, { source }) => sum + source.length, 0);
      size = bytes > PAGE.bytes ? Math.ceil(size / 2) : Math.min(most, size * 2);
    }
  }
}
