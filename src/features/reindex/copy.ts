import { errorOf } from "../../text/mod.ts";
import { field, omit } from "../../migrations/search/json/json_values.ts";
import { takeOverCopy } from "./abandon.ts";
import { between } from "./checkpoints.ts";
import { isSame } from "../../migrations/search/json/compare.ts";
import { type IndexDefinition, leftSettings } from "./definition.ts";
import { CopyRefusedError } from "./expect.ts";
import { type LiveIndex, readIndex } from "./live_index.ts";
import { backupName, namesBelow, nextBackup } from "./names.ts";
import { type IndexPair, REPLICAS } from "./pair.ts";
import { proveEqual } from "./proof.ts";
import { isWriteBlocked } from "./refusals.ts";
import { Rounds } from "./rounds.ts";
import type { CopyContext } from "./task_copies.ts";

export interface ReplacementContext extends CopyContext {
  readonly pair: IndexPair;
  readonly file: IndexDefinition;
}

export interface CopyResult {
  readonly documents: number;
  readonly pauseMs?: number;
  /** Whether a client has written to the old index after both were proven equal. */
  readonly isWrittenTo?: boolean;
}

const PAUSES = 3;
/** How often replicas of the new index are looked at, for some seconds each, while none of them is being filled. */
const IDLE_LOOKS = 2;

/** Writers are let through, and it is tried again. The message says why, as a clause. */
class PauseOverError extends Error {}

export class Copy {
  #isOver = false;
  #isWrittenTo = false;
  #why = "";
  /** Whether the request was sent that ends the copy: its result is unknown until the cluster reports it. */
  #isSwitching = false;

  constructor(private readonly context: ReplacementContext) {}

  /** On a signal, writers are let through and copies of the cluster go on. @throws {CopyRefusedError | RefusedDocumentsError} */
  async run(): Promise<CopyResult> {
    const rounds = await Rounds.of(this.context, () => this.#checkTime());
    try {
      return await this.#replace(rounds);
    } finally {
      await rounds.end().catch(() => {});
    }
  }

  async #replace(rounds: Rounds): Promise<CopyResult> {
    const { cluster, settings, state } = this.context;
    const { name, from } = state.current;
    await rounds.copyAll();
    for (let pauses = 0; pauses < PAUSES; pauses++) {
      await rounds.catchUp();
      await this.#fillReplicas();
      await rounds.settle();
      const live = await readIndex(cluster, from);
      const isBlockedByOwner = live !== undefined && isWriteBlocked(live);
      if (settings.writePauseMs === "none" && !isBlockedByOwner) {
        throw new CopyRefusedError(
          `Writes to '${from}' were unblocked during the copy, and 'write_pause' is 'none': block them, or allow a pause`,
        );
      }
      const since = performance.now();
      const documents = await this.#takePlace(rounds, isBlockedByOwner);
      const pauseMs = performance.now() - since;
      if (documents !== undefined) {
        const isWrittenTo = this.#isWrittenTo;
        return { documents, isWrittenTo, ...(!isBlockedByOwner && { pauseMs }) };
      }
    }
    throw new CopyRefusedError(
      `The copy could not replace '${name}' in ${PAUSES} attempts; in the last one, ${this.#why}`,
    );
  }

  /** Replicas of the new index are filled while writes still go on, as far as the old one has them. */
  async #fillReplicas(): Promise<void> {
    const { cluster, pair, state: { current }, onProgress, signal } = this.context;
    const { restore = {}, from, to } = current;
    await pair.setNew(current, omit(restore, (key) => !REPLICAS.includes(key)));
    const health = async (index: string, wait = "") => {
      const path = `/_cluster/health/${encodeURIComponent(index)}${wait}`;
      // A cluster that waits in vain answers 408.
      return (await cluster.send({ method: "GET", path }, { repeatSafe: true, signal })).json;
    };
    const wanted = field(await health(from), "status") === "green" ? "green" : "yellow";
    for (let idle = 0; idle < IDLE_LOOKS;) {
      const found = await health(to, `?wait_for_status=${wanted}&timeout=5s`);
      if (field(found, "timed_out") === false) return;
      idle = Number(field(found, "initializing_shards")) > 0 ? 0 : idle + 1;
      onProgress({ message: "filling replicas" });
      signal?.throwIfAborted();
    }
  }

  /** Returns the number of documents, or `undefined` when it took too long: then writers are let through. */
  async #takePlace(rounds: Rounds, isBlockedByOwner: boolean): Promise<number | undefined> {
    const { settings, state, onProgress, signal } = this.context;
    signal?.throwIfAborted();
    [this.#isOver, this.#isSwitching] = [false, false];
    if (isBlockedByOwner) {
      return await this.#finish(rounds).catch((error) => this.#letThrough(rounds, errorOf(error)));
    }
    onProgress({ message: "writers wait" });
    await state.change({ phase: "blocked" });
    const limitMs = Number(settings.writePauseMs);
    let end = () => {};
    const ended = new Promise<undefined>((resolve) => {
      end = () => resolve(undefined);
    });
    const timer = setTimeout(end, limitMs);
    signal?.addEventListener("abort", end, { once: true });
    // Whatever it waits for when the time is over, writers do not wait for it.
    const work = this.#blockAndFinish(rounds);
    try {
      const documents = await Promise.race([work, ended]);
      if (documents !== undefined) return documents;
      this.#isOver = true;
      const why =
        `writers would have had to wait longer than ${limitMs / 1000} s: allow a longer ` +
        "'migrations.write_pause', or run it when less is written and deleted";
      return await this.#letThrough(rounds, new PauseOverError(why));
    } catch (error) {
      this.#isOver = true;
      return await this.#letThrough(rounds, errorOf(error));
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      // What is left of it comes to nothing; the next round must not meet it.
      await work.catch(() => {});
      this.#isOver = false;
    }
  }

  async #blockAndFinish(rounds: Rounds): Promise<number> {
    const { pair, state } = this.context;
    if (!await pair.block(state.current)) {
      throw new PauseOverError("not every shard confirmed the write block");
    }
    return await this.#finish(rounds);
  }

  async #finish(rounds: Rounds): Promise<number> {
    const { cluster, pair, settings, state, file } = this.context;
    const { from, name } = state.current;
    const end = await rounds.progress();
    await rounds.round(true);
    let documents = await rounds.count();
    // All documents of the old index have arrived: if it has as many, it has the same.
    if (documents.from !== documents.to) {
      await rounds.takeAwayDeleted();
      documents = await rounds.count();
    }
    if (documents.from !== documents.to) {
      // What is known of deletions is not enough: all keys are compared before it is tried again.
      await rounds.end();
      const counts = `${documents.from} documents, its copy ${documents.to}`;
      throw new PauseOverError(`'${from}' had ${counts}`);
    }
    await proveEqual(rounds.destination(), documents, rounds.window, () => this.#checkTime());
    this.#checkTime();
    if (from === name && settings.oldIndices === "keep") await this.#backUp();
    this.#checkTime();
    const live = await readIndex(cluster, from);
    await this.#restore(live);
    const isStill = live !== undefined && isWriteBlocked(live) &&
      between(end.given, (await rounds.progress()).given) === 0 &&
      !await rounds.tasks.areRunning();
    if (!isStill) throw new PauseOverError("another client unblocked writes, or started a copy");
    this.#checkTime();
    this.#isSwitching = true;
    await pair.switchOver(state.current, live, file.aliases);
    await state.change({ phase: "done" });
    if (from !== name) {
      const after = await rounds.progress().catch(() => end);
      this.#isWrittenTo = between(end.given, after.given) !== 0;
    }
    return documents.to;
  }

  /** Settings of the new index become what they have to be; what was set meanwhile, and the file does not name, goes along. */
  async #restore(live: LiveIndex | undefined): Promise<void> {
    const { cluster, pair, state, file } = this.context;
    const made = await readIndex(cluster, state.current.to);
    const left = leftSettings(file, live?.settings ?? {});
    const changed = omit(left, (key, value) => isSame(value, made?.settings[key]));
    await pair.setNew(state.current, { ...state.current.restore, ...changed });
  }

  async #backUp(): Promise<void> {
    const { cluster, pair, state } = this.context;
    const { name, backups = [] } = state.current;
    const taken = await namesBelow(cluster, name);
    const backup = backupName(name, nextBackup(name, [...taken, ...backups]));
    this.#checkTime();
    await state.change({ backups: [...backups, backup] });
    await pair.backUp(state.current, backup);
  }

  /**
   * Lifts a block, if it is one of ours, after something went wrong.
   *
   * @returns how many documents there are where the new index has taken the place of the old one in spite of it;
   * `undefined` where it is tried again
   * @throws `error`, unless that is that the time is over
   */
  async #letThrough(rounds: Rounds, error: Error): Promise<number | undefined> {
    const { cluster, pair, state, signal } = this.context;
    try {
      if (state.current.phase === "blocked" && !await takeOverCopy(pair, state)) {
        if (await pair.isSwitched(state.current)) return (await rounds.count()).to;
        throw new CopyRefusedError(`The index '${state.current.from}', or its copy, was deleted`);
      }
    } catch (failure) {
      // The lock is lost, or the cluster does not answer: our marker removes only our own block.
      if (!this.#isSwitching) await pair.unblock(state.current).catch(() => {});
      throw error instanceof PauseOverError ? failure : error;
    }
    if (state.current.phase === "done") return (await rounds.count()).to;
    signal?.throwIfAborted();
    if (!(error instanceof PauseOverError)) throw error;
    this.#why = error.message;
    const made = await readIndex(cluster, state.current.to);
    if (made) await pair.tune(state.current, made);
    return undefined;
  }

  #checkTime(): void {
    this.context.signal?.throwIfAborted();
    if (this.#isOver) {
      throw new PauseOverError("writes were blocked for as long as 'write_pause' allows");
    }
  }
}
