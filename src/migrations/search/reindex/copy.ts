import { field } from "../json_values.ts";
import { between } from "./checkpoints.ts";
import { CopyRefusedError } from "./expect.ts";
import { type LiveIndex, readIndex } from "./live_index.ts";
import { backupName, namesBelow, nextBackup } from "./names.ts";
import { type IndexPair, REPLICAS } from "./pair.ts";
import { proveEqual } from "./proof.ts";
import { isWriteBlocked } from "./refusals.ts";
import { Rounds } from "./rounds.ts";
import type { CopyContext } from "./task_copies.ts";

/** What a copy that is to take the place of its original works with. */
export interface ReplacementContext extends CopyContext {
  readonly pair: IndexPair;
  /** Aliases that the file gives the index. */
  readonly aliases: LiveIndex["aliases"];
}

/** What came of a copy. */
export interface CopyResult {
  readonly documents: number;
  /** How long writers had to wait, in milliseconds; absent where their owner had blocked them. */
  readonly pauseMs?: number;
}

/** How often writers may be made to wait in vain. */
const PAUSES = 3;
/** How often replicas of the new index are looked at, for some seconds each. */
const HEALTH_LOOKS = 60;

/** Writers are let through, and it is tried again: they would have to wait too long, or somebody wrote in spite of all. */
class PauseOverError extends Error {}

/** Copies a live index into a new one, and lets that take its place. */
export class Copy {
  readonly #context: ReplacementContext;
  /** Until when writers may be kept waiting. */
  #until = Infinity;

  constructor(context: ReplacementContext) {
    this.#context = context;
  }

  /**
   * Goes on with the copy to its end. Signals are obeyed: writers are let through, and what the cluster copies goes on.
   *
   * @throws {CopyRefusedError} when it cannot be finished; writers are let through, and the new index is still there
   * @throws {RefusedDocumentsError} for documents that the new index does not take; likewise
   */
  async run(): Promise<CopyResult> {
    const rounds = await Rounds.of(this.#context, () => this.#checkTime());
    try {
      return await this.#replace(rounds);
    } finally {
      await rounds.end().catch(() => {});
    }
  }

  async #replace(rounds: Rounds): Promise<CopyResult> {
    const { cluster, settings, state } = this.#context;
    await rounds.copyAll();
    for (let pauses = 0; pauses < PAUSES; pauses++) {
      await rounds.catchUp();
      await this.#fillReplicas();
      await rounds.settle();
      const live = await readIndex(cluster, state.current.from);
      const isBlockedByOwner = live !== undefined && isWriteBlocked(live);
      const since = performance.now();
      const documents = await this.#takePlace(rounds, isBlockedByOwner);
      const pauseMs = performance.now() - since;
      if (documents !== undefined) return { documents, ...(!isBlockedByOwner && { pauseMs }) };
    }
    const seconds = Number(settings.writePauseMs) / 1000;
    throw new CopyRefusedError(
      `Writers of '${state.current.name}' would have had to wait longer than ${seconds} s, ${PAUSES} times: allow a ` +
        "longer 'migrations.write_pause', or run it when less is written and deleted",
    );
  }

  /** Replicas of the new index are filled while writes still go on, as far as the old one has them. */
  async #fillReplicas(): Promise<void> {
    const { cluster, pair, state: { current }, onProgress, signal } = this.#context;
    const { restore = {}, from, to } = current;
    const isOfReplicas = ([key]: readonly [string, unknown]) => REPLICAS.includes(key);
    await pair.setNew(current, Object.fromEntries(Object.entries(restore).filter(isOfReplicas)));
    const health = async (index: string, wait = "") => {
      const path = `/_cluster/health/${encodeURIComponent(index)}${wait}`;
      // A cluster that waits in vain answers 408.
      return (await cluster.send({ method: "GET", path }, { repeatSafe: true, signal })).json;
    };
    const wanted = String(field(await health(from), "status"));
    for (let look = 0; look < HEALTH_LOOKS; look++) {
      const found = await health(to, `?wait_for_status=${wanted}&timeout=5s`);
      if (field(found, "timed_out") === false) return;
      onProgress({ message: "filling replicas" });
      signal?.throwIfAborted();
    }
  }

  /**
   * Makes writers wait, and lets the new index take the place of the old one.
   *
   * @returns how many documents it has, or `undefined` when that took too long: writers have been let through
   */
  async #takePlace(rounds: Rounds, isBlockedByOwner: boolean): Promise<number | undefined> {
    const { pair, settings, state, ensureHeld, onProgress, signal } = this.#context;
    try {
      if (!isBlockedByOwner) {
        signal?.throwIfAborted();
        onProgress({ message: "writers wait" });
        const pauseMs = settings.writePauseMs === "none" ? 0 : settings.writePauseMs;
        this.#until = performance.now() + pauseMs;
        await state.change({ phase: "blocked" });
        await pair.block(state.current);
      }
      return await this.#finish(rounds);
    } catch (error) {
      // A run that was taken over is told so, and does nothing more.
      await ensureHeld();
      const isSwitched = await this.#letThrough().catch(() => false);
      if (isSwitched) return (await rounds.count()).to;
      if (error instanceof PauseOverError) return undefined;
      throw error;
    } finally {
      this.#until = Infinity;
    }
  }

  /** What is done while writers wait. */
  async #finish(rounds: Rounds): Promise<number> {
    const { cluster, pair, settings, state, aliases } = this.#context;
    const { from, name } = state.current;
    const end = await rounds.progress();
    await rounds.round(true);
    let documents = await rounds.count();
    // All documents of the old index have arrived: if it has as many, it has the same.
    if (documents.from !== documents.to) {
      await rounds.takeAwayDeleted();
      documents = await rounds.count();
    }
    if (documents.from !== documents.to && rounds.knowsDeletions) {
      await rounds.end();
      throw new PauseOverError();
    }
    this.#checkTime();
    await proveEqual(rounds.destination(), from, documents, rounds.page);
    if (from === name && settings.oldIndices === "keep") await this.#backUp();
    await pair.setNew(state.current, state.current.restore ?? {});
    this.#checkTime();
    const live = await readIndex(cluster, from);
    const isStill = live !== undefined && isWriteBlocked(live) &&
      between(end.given, (await rounds.progress()).given) === 0 &&
      !await rounds.tasks.areRunning();
    if (!isStill) throw new PauseOverError();
    await pair.switchOver(state.current, live, aliases);
    await state.change({ phase: "done" });
    return documents.to;
  }

  async #backUp(): Promise<void> {
    const { cluster, pair, state } = this.#context;
    const { name, backups = [] } = state.current;
    const taken = await namesBelow(cluster, name);
    const backup = backupName(name, nextBackup(name, [...taken, ...backups]));
    await state.change({ backups: [...backups, backup] });
    await pair.backUp(state.current, backup);
  }

  /**
   * Lifts a block of ours after something went wrong.
   *
   * @returns whether the new index has taken the place of the old one in spite of it
   */
  async #letThrough(): Promise<boolean> {
    const { cluster, pair, state } = this.#context;
    if (state.current.phase === "done" || await pair.isSwitched(state.current)) return true;
    if (state.current.phase !== "blocked") return false;
    await pair.unblock(state.current);
    await state.change({ phase: "copying" });
    const made = await readIndex(cluster, state.current.to);
    if (made) await pair.tune(state.current, made);
    return false;
  }

  /** @throws {PauseOverError} when writers have waited long enough; the signal's reason when the run is stopped */
  #checkTime(): void {
    this.#context.signal?.throwIfAborted();
    if (performance.now() > this.#until) throw new PauseOverError();
  }
}
