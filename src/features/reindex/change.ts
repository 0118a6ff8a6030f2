import { errorOf } from "../../text/mod.ts";
import {
  type Applied,
  ExecutionError,
  LockedError,
  mayHaveRun,
  MigrationFailedError,
  type Work,
} from "../../migrations/runner/mod.ts";
import { type Cluster, TransportError } from "../../migrations/search/cluster/cluster.ts";
import { field } from "../../migrations/search/json/json_values.ts";
import { ISM } from "../../migrations/search/kinds/policies.ts";
import type { SearchMigration } from "../../migrations/search/types.ts";
import type { ReindexSettings } from "./settings.ts";
import { takeOverCopy, undoCopy } from "./abandon.ts";
import { WriteFailedError } from "./arrivals.ts";
import { Copy } from "./copy.ts";
import {
  copyKey,
  type CopyState,
  copyStateOf,
  type CopyStep,
  describeCopy,
  KeptState,
  newCopy,
} from "./copy_state.ts";
import {
  definitionOf,
  expectedIndex,
  firstBody,
  type IndexDefinition,
  nextBody,
} from "./definition.ts";
import { allOf, differenceOf, expectedWay } from "./difference.ts";
import { CopyRefusedError, existed, isThere, StepError } from "./expect.ts";
import { bringFields, changeInPlace } from "./in_place.ts";
import { documentCount, type LiveIndex, readIndex, readIndices, seriesOf } from "./live_index.ts";
import { nextVersion, versionName } from "./names.ts";
import { inPlaceNote, leftNote, reasonsOf, unchangedNote } from "./notes.ts";
import { IndexPair } from "./pair.ts";
import { refuseNext, refuseOtherServers, refuseUnfit, shapeProblem } from "./refusals.ts";

/**
 * The steps of a change. A step needs what the one before has recorded, records its own progress in the {@linkcode CopyState}
 * of the journal, and says what comes next, or what has become of the file. A run that goes on begins with the recorded step.
 */
const STEPS: Readonly<Record<CopyStep, (change: IndexChange) => Promise<CopyStep | Applied>>> = {
  /** Needs the file. Records the names, then what the new index gets back at the end. Next: `copy`, unless none is needed. */
  make: (change) => change.make(),
  /** Needs the empty new index. Records the last number of each shard, then the task of the cluster. Next: `follow`. */
  copy: async (change) => await (await change.copying()).copy(),
  /** Needs one copy of all. Records the last number of each shard after each round. Next: `replace`, with few changes left. */
  follow: async (change) => await (await change.copying()).follow(),
  /** Needs few changes. Records the block, and a backup. Next: `finish`, or `follow` when writers waited too long. */
  replace: async (change) => await (await change.copying()).replace(),
  /** Needs the switched alias. Records nothing, so that it is done again. */
  finish: (change) => change.finish(),
};

/** Changes an index with the least that is needed: nothing, in place, or by a copy. */
export class IndexChange {
  readonly #pair: IndexPair;
  readonly #file: IndexDefinition;
  readonly #name: string;
  #state: KeptState | undefined;
  #copy: Copy | undefined;
  #isUndone = false;
  #left: readonly string[] = [];

  constructor(
    private readonly cluster: Cluster,
    private readonly connection: string,
    private readonly settings: ReindexSettings,
    private readonly migration: SearchMigration,
    private readonly work: Work,
  ) {
    this.#pair = new IndexPair(cluster, work.ensureHeld);
    this.#file = definitionOf(migration.request.body ?? "{}");
    this.#name = migration.resource;
  }

  /** @throws {ExecutionError} */
  async run(): Promise<Applied> {
    const { attempt } = this.work.entry;
    const begun = mayHaveRun(attempt) ? copyStateOf(attempt.resume) : undefined;
    this.#state = begun && this.#keep(begun);
    const left = () => this.#left.length > 0 && { leftBehind: this.#left };
    try {
      let next: CopyStep | Applied = this.#state ? await this.#resume(this.#state) : "make";
      while (typeof next === "string") next = await STEPS[next](this);
      return { ...next, ...left() };
    } catch (error) {
      await this.#copy?.end();
      const failed = await this.#failed(error);
      throw new ExecutionError(failed.cause, failed.effect, { ...failed, ...left() });
    }
  }

  /** The step to go on with: the first one, where the copy of an earlier run is undone or switched. */
  async #resume(state: KeptState): Promise<CopyStep | Applied> {
    const { hash, step, pipeline } = state.current;
    const { migration: { file }, settings } = this;
    const isWanted = hash === copyKey(file) && pipeline === settings.pipeline;
    if (await this.#pair.isSwitched(state.current)) {
      const applied = await this.finish();
      this.#state = undefined;
      this.#isUndone = true;
      return isWanted ? applied : "make";
    }
    if (isWanted && step !== "make" && await takeOverCopy(this.#pair, state)) {
      const made = await readIndex(this.cluster, state.current.to);
      if (made) await this.#pair.tune(state.current, made);
      return state.current.step;
    }
    await this.#undo();
    return "make";
  }

  async make(): Promise<CopyStep | Applied> {
    const { settings } = this;
    const indices = await readIndices(this.cluster, this.#name);
    const [live] = indices;
    if (live === undefined) return await this.#create();
    const next = await nextVersion(this.cluster, this.#name);
    const expected = await expectedIndex(this.cluster, this.#versionName(next), this.#file);
    const found = indices.map((index) => differenceOf(this.#file, expected, index));
    const ways = found.map(expectedWay);
    // The new index is made with what is left, so only the file itself tells what that is.
    const { left } = found[0]!;
    const shape = shapeProblem(this.#name, indices, await seriesOf(this.cluster, live));
    if (shape !== undefined) {
      if (ways.every((way) => way === "nothing")) return { note: unchangedNote(left) };
      throw new CopyRefusedError(shape);
    }
    let fit: Promise<string | undefined> | undefined;
    const policyOf = async () => {
      await refuseOtherServers(this.cluster);
      return await refuseUnfit(this.cluster, live, settings);
    };
    if (ways[0] === "copy") await (fit = policyOf());
    if (ways[0] !== "nothing") await refuseNext(this.cluster, this.#file, live);
    const pinned = await this.#pair.unpinned(live, expected.aliases);
    const [state, made] = await this.#make(live, next, pinned);
    const difference = differenceOf(this.#file, made, live);
    const isNothing = allOf(difference).length === 0;
    const change = { live, made, difference };
    const isChanged = isNothing ||
      await changeInPlace(this.#pair, this.#file, state.current, change);
    if (isChanged) {
      await this.#undo();
      return { note: isNothing ? unchangedNote(left) : inPlaceNote(difference) + leftNote(left) };
    }
    const policy = await (fit ?? policyOf());
    await refuseNext(this.cluster, this.#file, live, made);
    await bringFields(this.#pair, state.current, live);
    const restore = await this.#pair.tune(state.current, made);
    await state.change({ step: "copy", restore, policy });
    return "copy";
  }

  async #create(): Promise<Applied> {
    const body = firstBody(this.#file, this.#name);
    for (let number = 1;;) {
      const index = this.#versionName(number);
      const note = `made as '${index}', with '${this.#name}' as its alias`;
      const request = { method: "PUT", path: `/${encodeURIComponent(index)}`, body };
      const answer = await this.#pair.send(request, isThere);
      if (!existed(answer)) return { note };
      const there = await readIndex(this.cluster, index);
      if (there && Object.hasOwn(there.aliases, this.#name)) return { note };
      number = await nextVersion(this.cluster, this.#name);
    }
  }

  #versionName(number: number): string {
    return versionName(this.#name, this.migration.file.hash, number);
  }

  /** Makes the index that would follow, empty: the server says in its own words what the file says. */
  async #make(
    live: LiveIndex,
    next: number,
    pinned: readonly string[],
  ): Promise<readonly [KeptState, LiveIndex]> {
    const { pipeline } = this.settings;
    const hash = copyKey(this.migration.file);
    for (let number = next;; number++) {
      const to = this.#versionName(number);
      const about = { hash, name: this.#name, from: live.name, to, pinned, pipeline };
      const state = this.#keep(newCopy(about));
      await state.change({});
      this.#state = state;
      await this.#pair.pin(live, pinned);
      await this.#pair.mark(state.current);
      const body = nextBody(this.#file, live, IndexPair.aliases(state.current));
      if (!await this.#pair.make(state.current, body)) continue;
      const made = await readIndex(this.cluster, to);
      if (made === undefined) throw new Error(`The index '${to}' was created, but is missing`);
      await this.#pair.takeOffAliases(state.current, made);
      return [state, made];
    }
  }

  async copying(): Promise<Copy> {
    return this.#copy ??= await Copy.of({
      settings: this.settings,
      work: this.work,
      pair: this.#pair,
      file: this.#file,
      state: this.#state!,
    });
  }

  /** What is left to do once the new index has taken its place, perhaps in an earlier run. */
  async finish(): Promise<Applied> {
    const { from, to, name, backups, policy } = this.#state!.current;
    const isKept = this.settings.oldIndices === "keep";
    const isConcrete = from === name;
    for (const other of backups.slice(0, -1)) await this.#pair.delete(other);
    if (!isKept && !isConcrete) await this.#pair.delete(from);
    const kept = isConcrete ? backups.at(-1) : isKept ? from : undefined;
    if (kept !== undefined) this.#left = [...this.#left, kept];
    const { documents, pauseMs, isWrittenTo } = this.#copy ?? {};
    const notes = [
      documents === undefined
        ? `'${name}' is '${to}' now`
        : `copied ${documentCount(documents)} into '${to}'`,
      pauseMs !== undefined && `writers waited ${(pauseMs / 1000).toFixed(1)} s`,
      kept !== undefined && `the old data is '${kept}'`,
      isWrittenTo &&
      `another client unblocked writes meanwhile: its writes are only in '${from}'`,
      policy !== undefined && await this.#attachPolicy(to, policy),
    ];
    return { note: notes.filter((note) => note).join("; ") };
  }

  async #attachPolicy(index: string, policy: string): Promise<string> {
    await this.#pair.ensureHeld();
    const path = `${ISM}/add/${encodeURIComponent(index)}`;
    const body = JSON.stringify({ policy_id: policy });
    const answer = await this.cluster.send({ method: "POST", path, body }, { repeatSafe: true });
    const isThere = /already has a policy/.test(answer.text);
    return answer.status === 200 && (isThere || field(answer.json, "updated_indices") === 1)
      ? `the policy '${policy}' goes on with it`
      : `the policy '${policy}' could not be attached to it: ${answer.text.slice(0, 200)}`;
  }

  async #undo(): Promise<void> {
    if (this.#state === undefined) return;
    await undoCopy(this.#pair, this.#state.current);
    this.#state = undefined;
    this.#isUndone = true;
  }

  #keep(state: CopyState): KeptState {
    return new KeptState(state, (resume) => this.work.progress({ resume }));
  }

  /** What the failure leaves behind: of what cannot be finished nothing. */
  async #failed(thrown: unknown): Promise<ExecutionError> {
    // What a run that was taken over is refused is no fault of the cluster.
    const error = await this.work.ensureHeld().then(() => thrown, (lost) => lost);
    if (error instanceof LockedError && this.#state?.current.step === "make") {
      await this.#pair.withdraw(this.#state.current).catch(() => {});
    }
    const reasons = this.#isMistake(error)
      ? [error.message]
      : reasonsOf(error, this.migration.file.path);
    return reasons === undefined ? this.#interrupted(error) : await this.#refused(reasons);
  }

  #interrupted(error: unknown): ExecutionError {
    const { signal } = this.work;
    const known = this.#state && describeCopy(this.#state.current);
    const cause = error instanceof StepError || error instanceof WriteFailedError
      ? this.#failure([error.message, known && `The next run goes on: ${known}`])
      : errorOf(error);
    const isRefused = error instanceof TransportError && (error.refused || !error.mayHaveArrived);
    if (known === undefined && (isRefused || this.#isUndone)) {
      return new ExecutionError(cause, "none", { undone: this.#isUndone });
    }
    const isStop = signal?.aborted === true && error === signal.reason;
    return new ExecutionError(cause, "unknown", known === undefined || isStop ? {} : { known });
  }

  /** The failure of a copy that can never succeed, which is undone. */
  async #refused(lines: readonly string[]): Promise<ExecutionError> {
    try {
      await this.#undo();
    } catch (error) {
      const more = `Cannot delete the unfinished copy: ${errorOf(error).message}`;
      const known = describeCopy(this.#state!.current);
      return new ExecutionError(this.#failure([...lines, more]), "unknown", { known });
    }
    return new ExecutionError(this.#failure(lines), "none", { undone: true });
  }

  /** Whether the cluster has refused something before anything is copied: it would refuse it again. */
  #isMistake(error: unknown): error is StepError {
    const isBegun = this.#state !== undefined && this.#state.current.step !== "make";
    if (isBegun || !(error instanceof StepError)) return false;
    const { status, repeated } = error.answer;
    return status >= 400 && status < 500 && status !== 408 && status !== 429 && !repeated;
  }

  #failure(lines: readonly (string | undefined)[]): MigrationFailedError {
    const { path } = this.migration.file;
    const text = lines.filter((line) => line !== undefined).join("\n  ");
    return new MigrationFailedError(this.connection, path, this.cluster.redact(text));
  }
}
