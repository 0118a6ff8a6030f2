import { errorOf } from "../../text/mod.ts";
import { pause } from "../../migrations/runner/mod.ts";
import { isSame } from "../../migrations/search/json/compare.ts";
import { leftSettings } from "../../migrations/search/compare/live_settings.ts";
import { field, omit } from "../../migrations/search/json/json_values.ts";
import { between } from "./documents.ts";
import { takeOverCopy } from "./abandon.ts";
import type { CopyStep } from "./copy_state.ts";
import { CopyRefusedError } from "./expect.ts";
import { type LiveIndex, readIndex } from "./live_index.ts";
import { nextBackup } from "./names.ts";
import { REPLICAS } from "./pair.ts";
import { isWriteBlocked } from "./refusals.ts";
import { Rounds } from "./rounds.ts";
import { runningCopies } from "./server_copy.ts";
import type { CopyContext } from "./task_copies.ts";

const PAUSES = 3;
/** How often replicas of the new index are looked at, for some seconds each, while none of them is being filled. */
const IDLE_LOOKS = 2;

/** Writers are let through, and it is tried again. The message says why, as a clause. */
class PauseOverError extends Error {}

/** The steps of a copy between the new index, which is empty, and the switch. */
export class Copy {
  documents: number | undefined;
  pauseMs: number | undefined;
  /** Whether a client has written to the old index after both were proven equal. */
  isWrittenTo = false;
  #pauses = 0;
  /** Whether the request was sent that ends the copy: its result is unknown until the cluster reports it. */
  #isSwitching = false;

  private constructor(
    private readonly context: CopyContext,
    private readonly rounds: Rounds,
    /** Ends a pause: what it waits for then comes to nothing. */
    private limit = new AbortController(),
  ) {}

  static async of(context: CopyContext): Promise<Copy> {
    const copy: Copy = new Copy(context, await Rounds.of(context, () => copy.#check()));
    return copy;
  }

  #check(): void {
    this.context.work.signal?.throwIfAborted();
    this.limit.signal.throwIfAborted();
  }

  async end(): Promise<void> {
    await this.rounds.end().catch(() => {});
  }

  /** On a signal, copies of the cluster go on. @throws {CopyRefusedError | RefusedDocumentsError} */
  async copy(): Promise<CopyStep> {
    await this.rounds.copyAll();
    return "follow";
  }

  async follow(): Promise<CopyStep> {
    await this.rounds.catchUp();
    await this.#fillReplicas();
    await this.rounds.settle();
    return "replace";
  }

  /** On a signal, writers are let through. @returns `follow` when it took too long: then they are, too */
  async replace(): Promise<CopyStep> {
    const { pair, settings, state: { current: { name, from } } } = this.context;
    const live = await readIndex(pair.cluster, from);
    const isBlockedByOwner = live !== undefined && isWriteBlocked(live);
    if (settings.writePauseMs === "none" && !isBlockedByOwner) {
      throw new CopyRefusedError(
        `Writes to '${from}' were unblocked during the copy, and 'write_pause' is 'none': block them, or allow a pause`,
      );
    }
    const since = performance.now();
    const documents = await this.#takePlace(isBlockedByOwner);
    if (typeof documents === "number") {
      this.documents = documents;
      if (!isBlockedByOwner) this.pauseMs = performance.now() - since;
      await this.end();
      return "finish";
    }
    if (++this.#pauses < PAUSES) return "follow";
    throw new CopyRefusedError(
      `The copy could not replace '${name}' in ${PAUSES} attempts; in the last one, ${documents.message}`,
    );
  }

  /** Replicas of the new index are filled while writes still go on, as far as the old one has them. */
  async #fillReplicas(): Promise<void> {
    const { pair, state: { current }, work: { onProgress, signal } } = this.context;
    const { restore, from, to } = current;
    await pair.setNew(current, omit(restore, (key) => !REPLICAS.includes(key)));
    const health = async (index: string, wait = "") => {
      const path = `/_cluster/health/${encodeURIComponent(index)}${wait}`;
      // A cluster that waits in vain answers 408.
      return (await pair.cluster.send({ method: "GET", path }, { repeatSafe: true, signal })).json;
    };
    const wanted = field(await health(from), "status") === "green" ? "green" : "yellow";
    for (let idle = 0; idle < IDLE_LOOKS;) {
      const found = await health(to, `?wait_for_status=${wanted}&timeout=5s`);
      if (field(found, "timed_out") === false) return;
      idle = Number(field(found, "initializing_shards")) > 0 ? 0 : idle + 1;
      onProgress?.({ message: "filling replicas" });
      signal?.throwIfAborted();
    }
  }

  /** Returns the number of documents, or why it is tried again: then writers are let through. */
  async #takePlace(isBlockedByOwner: boolean): Promise<number | PauseOverError> {
    const { settings, state, work: { onProgress, signal } } = this.context;
    signal?.throwIfAborted();
    this.#isSwitching = false;
    if (isBlockedByOwner) return await this.#finish().catch((error) => this.#letThrough(error));
    onProgress?.({ message: "writers wait" });
    await state.change({ step: "replace" });
    const limitMs = Number(settings.writePauseMs);
    const why = `writers would have had to wait longer than ${limitMs / 1000} s: allow a longer ` +
      "'migrations.write_pause', or run it when less is written and deleted";
    const { limit } = this;
    const end = (): never => {
      throw new PauseOverError(why);
    };
    const ends = AbortSignal.any([signal, limit.signal].filter((one) => one !== undefined));
    const ended = pause(limitMs, ends).then(end, end);
    // Whatever it waits for when the time is over, writers do not wait for it.
    const work = this.#blockAndFinish();
    try {
      return await Promise.race([work, ended]);
    } catch (error) {
      limit.abort(error);
      return await this.#letThrough(error);
    } finally {
      limit.abort();
      // What is left of it comes to nothing; the next round must not meet it.
      await work.catch(() => {});
      this.limit = new AbortController();
    }
  }

  async #blockAndFinish(): Promise<number> {
    const { pair, state } = this.context;
    if (!await pair.block(state.current)) {
      throw new PauseOverError("not every shard confirmed the write block");
    }
    return await this.#finish();
  }

  async #finish(): Promise<number> {
    const { rounds } = this;
    const { pair, settings, state, file } = this.context;
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
    await rounds.destination().proveEqual(rounds.window, () => this.#check());
    this.#check();
    if (from === name && settings.oldIndices === "keep") await this.#backUp();
    this.#check();
    const live = await readIndex(pair.cluster, from);
    await this.#restore(live);
    const isStill = live !== undefined && isWriteBlocked(live) &&
      between(end.given, (await rounds.progress()).given) === 0 &&
      (await runningCopies(pair, state.current)).length === 0;
    if (!isStill) throw new PauseOverError("another client unblocked writes, or started a copy");
    this.#check();
    this.#isSwitching = true;
    await pair.switchOver(state.current, live, file.aliases);
    await state.change({ step: "finish" });
    if (from !== name) {
      const after = await rounds.progress().catch(() => end);
      this.isWrittenTo = between(end.given, after.given) !== 0;
    }
    return documents.to;
  }

  /** Settings of the new index become what they have to be; what was set meanwhile, and the file does not name, goes along. */
  async #restore(live: LiveIndex | undefined): Promise<void> {
    const { pair, state, file } = this.context;
    const made = await readIndex(pair.cluster, state.current.to);
    const left = leftSettings(file, live?.settings ?? {});
    const changed = omit(left, (key, value) => isSame(value, made?.settings[key]));
    await pair.setNew(state.current, { ...state.current.restore, ...changed });
  }

  async #backUp(): Promise<void> {
    const { pair, state } = this.context;
    const { name, backups } = state.current;
    const backup = await nextBackup(pair.cluster, name, backups);
    this.#check();
    await state.change({ backups: [...backups, backup] });
    await pair.backUp(state.current, backup);
  }

  /**
   * Lifts a block, if it is one of ours, after something went wrong.
   *
   * @returns how many documents there are where the new index took over in spite of it; else why it is tried again
   */
  async #letThrough(thrown: unknown): Promise<number | PauseOverError> {
    const { pair, state, work: { signal } } = this.context;
    const error = errorOf(thrown);
    try {
      if (state.current.step === "replace" && !await takeOverCopy(pair, state)) {
        if (await pair.isSwitched(state.current)) return (await this.rounds.count()).to;
        throw new CopyRefusedError(`The index '${state.current.from}', or its copy, was deleted`);
      }
    } catch (failure) {
      // The lock is lost, or the cluster does not answer: our marker removes only our own block.
      if (!this.#isSwitching) await pair.unblock(state.current).catch(() => {});
      throw error instanceof PauseOverError ? failure : error;
    }
    if (state.current.step === "finish") return (await this.rounds.count()).to;
    signal?.throwIfAborted();
    if (!(error instanceof PauseOverError)) throw error;
    const made = await readIndex(pair.cluster, state.current.to);
    if (made) await pair.tune(state.current, made);
    return error;
  }
}
