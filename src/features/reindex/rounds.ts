import { allOrStop, inParallel } from "../../migrations/runner/mod.ts";
import { Destination } from "./arrivals.ts";
import { isEmpty } from "../../migrations/search/json/json_values.ts";
import type { IndexChange } from "./change.ts";
import { copyMarker } from "./copy_state.ts";
import { Deletions } from "./deletions.ts";
import {
  atMost,
  between,
  type DocumentKey,
  IndexDocuments,
  least,
  SHARDS_AT_ONCE,
} from "./documents.ts";
import { AnswerError } from "../live_indices/expect.ts";
import { CopyRefusedError } from "./expect.ts";
import { KeyComparison } from "./key_comparison.ts";
import { bringFields } from "./in_place.ts";
import { type LiveIndex, readIndex } from "../live_indices/live_index.ts";
import { sizeOf } from "./live_index.ts";
import { TaskCopies } from "./task_copies.ts";

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

/** Copies an index in rounds: the first copies all documents, each later one what has changed since the one before. */
export class Rounds {
  readonly #tasks: TaskCopies;
  /** Absent in a run that continues a copy, and after the deletions that it knew did not make the counts equal. */
  #deletions: Deletions | undefined;
  #comparison: KeyComparison | undefined;

  private constructor(
    private readonly change: IndexChange,
    private readonly check: () => void,
    readonly from: IndexDocuments,
    private readonly to: IndexDocuments,
    readonly window: number,
    /** About how many documents make a request of a size that a node accepts. */
    private readonly page: number,
    slices: number | "auto",
  ) {
    this.#tasks = new TaskCopies(change, Math.min(PAGE.most, window, page), slices);
  }

  static async of(change: IndexChange, check: () => void): Promise<Rounds> {
    const { pair: { cluster }, record: { current } } = change;
    const from = await readIndex(cluster, current.from);
    const to = await readIndex(cluster, current.to);
    if (from === undefined || to === undefined) {
      const gone = from === undefined ? current.from : current.to;
      throw new CopyRefusedError(`The index '${gone}' no longer exists`);
    }
    const numberOf = (index: LiveIndex, name: string, usual: number) =>
      Number(index.settings[`index.${name}`] ?? usual);
    const windows = [from, to].map((index) => numberOf(index, "max_result_window", KEYS));
    const documentsOf = (index: LiveIndex) =>
      new IndexDocuments(cluster, index.name, numberOf(index, "number_of_shards", 1));
    const source = documentsOf(from);
    const { documents, bytes } = await sizeOf(cluster, current.from);
    // The index is compressed on disk, so its documents are larger.
    const each = documents === 0 ? 1 : Math.max(1, bytes * 3 / documents);
    return new Rounds(
      change,
      check,
      source,
      documentsOf(to),
      Math.max(1, Math.min(KEYS, ...windows)),
      Math.max(1, Math.floor(PAGE.bytes * 2 / each)),
      numberOf(from, "max_slices_per_scroll", source.shards) < source.shards ? 1 : "auto",
    );
  }

  async copyAll(): Promise<void> {
    const { record } = this.change;
    let upTo: number | undefined;
    if (isEmpty(record.current.since)) {
      // Before the copy: what has a number up to it is found by the copy, and what has a higher one by the next round.
      const { written, given } = await this.from.progress();
      await this.from.refresh();
      this.#deletions = await Deletions.begin(this.from, await this.from.count());
      const floor = atMost(written, least(written));
      // Where shards are about as far, nothing is copied but what is known: what comes later is seen by a round.
      const isEven = between(floor, written) <= UNEVEN;
      upTo = isEven ? least(written) : Math.max(...Object.values(given));
      await record.change({ since: isEven ? floor : written });
    } else await this.from.refresh();
    const onLook = () => this.#withDeletions((deletions) => deletions.touch());
    await allOrStop([
      (signal) => this.#withDeletions((deletions) => deletions.note(record.current.since, signal)),
      (signal) =>
        this.#tasks.copy("copying", { ...(upTo !== undefined && { upTo }), onLook, signal }),
    ]);
    await record.change({ step: "catchUp" });
  }

  async catchUp(): Promise<void> {
    const catchUp = async () => {
      await this.#rounds();
      do {
        await this.#prepareComparison();
        await this.takeAwayDeleted();
      } while (!this.#deletions && !this.#comparison);
    };
    // A search finds the copy only after a long refresh, which runs here because writers do not wait yet.
    await allOrStop([catchUp, () => this.to.refresh()]);
  }

  async settle(): Promise<void> {
    await this.#rounds();
    await this.to.refresh();
  }

  async #rounds(): Promise<void> {
    let [operations, shortest, idle] = [Infinity, Infinity, 0];
    while (operations >= FEW && idle < IDLE_ROUNDS) {
      operations = await this.round();
      idle = operations < shortest ? 0 : idle + 1;
      shortest = Math.min(shortest, operations);
    }
    if (operations < BACKLOG) return;
    throw new CopyRefusedError(
      `Writes to '${this.from.name}' are faster than the copy: ${operations} operations are left after each round; ` +
        "run the migration when there are fewer writes",
    );
  }

  async #prepareComparison(): Promise<void> {
    if (this.#deletions) return;
    this.change.work.onProgress?.({ message: "comparing what was deleted" });
    const total = await this.from.count();
    this.#comparison = new KeyComparison(this.from, this.to, this.window, total, this.check);
    // The comparison has to find the documents of earlier rounds by a search: only later ones are noted in it.
    await this.to.refresh();
    await this.#comparison.prepare();
  }

  /** Closes the snapshot by which deletions are found: from now on all keys are compared. */
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
      const isLost = error instanceof AnswerError &&
        (error.answer.status === 404 || /search_context_missing_exc/.test(error.answer.text));
      if (!isLost) throw error;
      const message = "the point in time is lost: all ids will be compared";
      this.change.work.onProgress?.({ message });
      await this.end();
    }
  }

  /** Copies what has changed since the last round. It does not see what was deleted meanwhile. */
  async round(isLast = false): Promise<number> {
    const { pair, record, work } = this.change;
    const { since, from } = record.current;
    const { written } = await this.from.progress();
    await this.from.refresh();
    const live = await readIndex(pair.cluster, from);
    this.check();
    if (live) await bringFields(this.change, live);
    const operations = between(since, written);
    if (operations > MANY && !isLast) {
      await this.#tasks.copy("copying what has changed", { after: least(since) });
    }
    // A task that was started earlier could bring back documents that were replaced or deleted since.
    await this.#tasks.cancelAll();
    let done = 0;
    await inParallel(Object.entries(since), SHARDS_AT_ONCE, async ([shard, after]) => {
      for await (const page of this.#pages(shard, after)) {
        await this.destination().arrive(page);
        this.#deletions?.arrived(shard, page);
        for (const document of page) this.#comparison?.arrived(document);
        done += page.length;
        work.onProgress?.({
          message: isLast ? "writers wait" : "catching up",
          done,
          total: Math.max(done, operations),
        });
      }
    });
    await record.change({ since: written });
    return operations;
  }

  async takeAwayDeleted(): Promise<void> {
    // Another document of the same id may have taken the place of one.
    const thereIn = async (index: IndexDocuments, keys: readonly DocumentKey[]) => {
      const found = await index.byKey(keys);
      return (key: DocumentKey, at: number) =>
        found[at] !== undefined && found[at].routing === key.routing;
    };
    const removeExtra = async (keys: readonly DocumentKey[]) => {
      const isThere = await thereIn(this.from, keys);
      const gone = keys.filter((key, position) => !isThere(key, position));
      const left = gone.filter(await thereIn(this.to, gone));
      if (left.length > 0) await this.destination().takeAway(left);
      return gone;
    };
    await this.#withDeletions(async (deletions) => {
      await this.from.refresh();
      await deletions.reconcile(removeExtra, this.check);
    });
    await this.#comparison?.compare({
      removeExtra,
      addMissing: async (keys) => {
        const there = await this.from.byKey(keys);
        await this.destination().arrive(there.filter((document) => document !== undefined));
      },
      page: Math.min(PAGE.first, this.window),
    });
  }

  async count(): Promise<{ readonly from: number; readonly to: number }> {
    await this.to.refresh();
    return { from: await this.from.count(), to: await this.to.count() };
  }

  destination(): Destination {
    const { settings: { pipeline }, record: { current } } = this.change;
    const check = async () => {
      this.check();
      await this.change.pair.ensureHeld();
    };
    return new Destination(this.from, this.to, copyMarker(current), check, pipeline);
  }

  /** Documents of a shard in the order of their numbers; pages are as large as documents let them be. */
  #pages(shard: string, after: number) {
    const most = Math.min(PAGE.most, this.window);
    const size = Math.min(PAGE.first, this.page, most);
    return this.from.pages({ shard, after, size }, this.check, (page, size) => {
      const bytes = page.reduce((sum, { source }) => sum + source.length, 0);
      return bytes > PAGE.bytes ? Math.ceil(size / 2) : Math.min(most, size * 2);
    });
  }
}
