import { errorOf } from "../../text/mod.ts";
import {
  type Applied,
  type Attempt,
  ExecutionError,
  LockedError,
  mayHaveRun,
  MigrationFailedError,
  type Work,
} from "../../migrations/runner/mod.ts";
import { type Cluster, TransportError } from "../../migrations/search/cluster/cluster.ts";
import { field } from "../../migrations/search/json/json_values.ts";
import type { ReindexSettings, SearchMigration } from "../../migrations/search/types.ts";
import { takeOverCopy, undoCopy } from "./abandon.ts";
import { WriteFailedError } from "./arrivals.ts";
import { Copy, type CopyResult } from "./copy.ts";
import {
  copyKey,
  copyMarker,
  type CopyState,
  copyStateOf,
  describeCopy,
  KeptState,
  newRun,
} from "./copy_state.ts";
import {
  definitionOf,
  expectedIndex,
  firstBody,
  type IndexDefinition,
  nextBody,
} from "./definition.ts";
import { allOf, differenceOf, expectedWay } from "./difference.ts";
import { CopyRefusedError, existed, expectAnswer, isThere, StepError } from "./expect.ts";
import { bringFields, changeInPlace } from "./in_place.ts";
import { type LiveIndex, readIndex, readIndices, seriesOf } from "./live_index.ts";
import { namesBelow, nextVersion, versionName } from "./names.ts";
import { inPlaceNote, leftNote, reasonsOf, unchangedNote } from "./notes.ts";
import { IndexPair } from "./pair.ts";
import { refuseNext, refuseOtherServers, refuseUnfit, shapeProblem } from "./refusals.ts";

interface IndexChangeContext {
  readonly cluster: Cluster;
  readonly connection: string;
  readonly settings: ReindexSettings;
  readonly migration: SearchMigration;
  readonly work: Work;
}

/** Changes an index with the least that is needed: nothing, in place, or by a copy. */
export class IndexChange {
  readonly #cluster: Cluster;
  readonly #pair: IndexPair;
  readonly #file: IndexDefinition;
  readonly #name: string;
  #state: KeptState | undefined;
  #isUndone = false;
  #left: readonly string[] = [];

  constructor(private readonly context: IndexChangeContext) {
    const { cluster, migration, work } = context;
    this.#cluster = cluster;
    this.#pair = new IndexPair(cluster, work.ensureHeld);
    this.#file = definitionOf(migration.request.body ?? "{}");
    this.#name = migration.resource;
  }

  /** @throws {ExecutionError} */
  async run(): Promise<Applied> {
    const { attempt } = this.context.work.entry;
    const begun = mayHaveRun(attempt) ? copyStateOf(attempt.resume) : undefined;
    this.#state = begun && this.#keep(begun);
    try {
      const resumed = this.#state && await this.#resume(this.#state);
      const applied = resumed ?? await this.#change();
      return { ...applied, ...(this.#left.length > 0 && { leftBehind: this.#left }) };
    } catch (error) {
      throw await this.#failed(error);
    }
  }

  async #change(): Promise<Applied> {
    const { settings, work } = this.context;
    const indices = await readIndices(this.#cluster, this.#name);
    const [live] = indices;
    if (live === undefined) return await this.#create();
    const taken = await namesBelow(this.#cluster, this.#name);
    const next = nextVersion(this.#name, taken);
    const expected = await expectedIndex(this.#cluster, this.#versionName(next), this.#file);
    const found = indices.map((index) => differenceOf(this.#file, expected, index));
    const ways = found.map(expectedWay);
    // The new index is made with what is left, so only the file itself tells what that is.
    const { left } = found[0]!;
    const shape = shapeProblem(this.#name, indices, await seriesOf(this.#cluster, live));
    if (shape !== undefined) {
      if (ways.every((way) => way === "nothing")) return { note: unchangedNote(left) };
      throw new CopyRefusedError(shape);
    }
    let fit: { readonly policy?: string } | undefined;
    const ensureFit = async () => {
      if (fit) return fit;
      await refuseOtherServers(this.#cluster);
      const policy = await refuseUnfit(this.#cluster, live, settings);
      return fit = { ...(policy !== undefined && { policy }) };
    };
    if (ways[0] === "copy") await ensureFit();
    if (ways[0] !== "nothing") await refuseNext(this.#cluster, this.#file, live);
    const pinned = await this.#pair.unpinned(live, expected.aliases);
    const [state, made] = await this.#make(live, next, pinned);
    const difference = differenceOf(this.#file, made, live);
    const isNothing = allOf(difference).length === 0;
    const isChanged = isNothing || await changeInPlace({
      cluster: this.#cluster,
      file: this.#file,
      live,
      made,
      difference,
      marker: copyMarker(state.current),
      ensureHeld: work.ensureHeld,
    });
    if (isChanged) {
      await this.#undo();
      return { note: isNothing ? unchangedNote(left) : inPlaceNote(difference) + leftNote(left) };
    }
    const { policy } = await ensureFit();
    await refuseNext(this.#cluster, this.#file, live, made);
    await bringFields(this.#cluster, state.current, live, work.ensureHeld);
    const restore = await this.#pair.tune(state.current, made);
    await state.change({ phase: "copying", restore, ...(policy !== undefined && { policy }) });
    return await this.#copy(state);
  }

  async #create(): Promise<Applied> {
    const { work } = this.context;
    const body = firstBody(this.#file, this.#name);
    for (let number = 1;;) {
      const index = this.#versionName(number);
      const note = `made as '${index}', with '${this.#name}' as its alias`;
      await work.ensureHeld();
      const request = { method: "PUT", path: `/${encodeURIComponent(index)}`, body };
      const answer = await expectAnswer(this.#cluster, request, isThere);
      if (!existed(answer)) return { note };
      const there = await readIndex(this.#cluster, index);
      if (there && Object.hasOwn(there.aliases, this.#name)) return { note };
      number = nextVersion(this.#name, await namesBelow(this.#cluster, this.#name));
    }
  }

  #versionName(number: number): string {
    return versionName(this.#name, this.context.migration.file.hash, number);
  }

  /** Makes the index that would follow, empty: the server says in its own words what the file says. */
  async #make(
    live: LiveIndex,
    next: number,
    pinned: readonly string[],
  ): Promise<readonly [KeptState, LiveIndex]> {
    const { migration: { file }, settings } = this.context;
    for (let number = next;; number++) {
      const to = this.#versionName(number);
      const state = this.#keep({
        hash: copyKey(file),
        name: this.#name,
        from: live.name,
        to,
        runs: [newRun()],
        phase: "new",
        round: 0,
        ...(settings.pipeline !== undefined && { pipeline: settings.pipeline }),
        ...(pinned.length > 0 && { pinned }),
      });
      await state.change({});
      this.#state = state;
      await this.#pair.pin(live, pinned);
      await this.#pair.mark(state.current);
      const body = nextBody(this.#file, live, IndexPair.aliases(state.current));
      if (!await this.#pair.make(state.current, body)) continue;
      const made = await readIndex(this.#cluster, to);
      if (made === undefined) throw new Error(`The index '${to}' was created, but is missing`);
      await this.#pair.takeOffAliases(state.current, made);
      return [state, made];
    }
  }

  async #resume(state: KeptState): Promise<Applied | undefined> {
    const { hash, phase, pipeline } = state.current;
    const { migration: { file }, settings } = this.context;
    const isWanted = hash === copyKey(file) && pipeline === settings.pipeline;
    if (phase !== "new" && await this.#pair.isSwitched(state.current)) {
      const applied = await this.#finish(state.current, undefined);
      this.#state = undefined;
      this.#isUndone = true;
      return isWanted ? applied : undefined;
    }
    if (isWanted && phase !== "new" && await takeOverCopy(this.#pair, state)) {
      const made = await readIndex(this.#cluster, state.current.to);
      if (made) await this.#pair.tune(state.current, made);
      return await this.#copy(state);
    }
    await this.#undo();
    return undefined;
  }

  async #copy(state: KeptState): Promise<Applied> {
    const { settings, work } = this.context;
    const copy = new Copy({
      cluster: this.#cluster,
      settings,
      pair: this.#pair,
      file: this.#file,
      state,
      ensureHeld: work.ensureHeld,
      onProgress: (progress) => work.onProgress?.(progress),
      signal: work.signal,
    });
    const result = await copy.run();
    return await this.#finish(state.current, result);
  }

  /** What is left to do once the new index has taken its place. @param result absent where an earlier run came so far */
  async #finish(state: CopyState, result: CopyResult | undefined): Promise<Applied> {
    const { from, to, name, backups = [], policy } = state;
    const isKept = this.context.settings.oldIndices === "keep";
    const isConcrete = from === name;
    for (const other of backups.slice(0, -1)) await this.#pair.delete(other);
    if (!isKept && !isConcrete) await this.#pair.delete(from);
    const kept = isConcrete ? backups.at(-1) : isKept ? from : undefined;
    if (kept !== undefined) this.#left = [...this.#left, kept];
    const { documents, pauseMs, isWrittenTo } = result ?? {};
    const notes = [
      documents === undefined
        ? `'${name}' is '${to}' now`
        : `copied ${documents.toLocaleString("en")} document${
          documents === 1 ? "" : "s"
        } into '${to}'`,
      ...(pauseMs === undefined ? [] : [`writers waited ${(pauseMs / 1000).toFixed(1)} s`]),
      ...(kept === undefined ? [] : [`the old data is '${kept}'`]),
      ...(isWrittenTo
        ? [`another client unblocked writes meanwhile: its writes are only in '${from}'`]
        : []),
      ...(policy === undefined ? [] : [await this.#attachPolicy(to, policy)]),
    ];
    return { note: notes.join("; ") };
  }

  async #attachPolicy(index: string, policy: string): Promise<string> {
    await this.context.work.ensureHeld();
    const path = `/_plugins/_ism/add/${encodeURIComponent(index)}`;
    const body = JSON.stringify({ policy_id: policy });
    const answer = await this.#cluster.send({ method: "POST", path, body }, { repeatSafe: true });
    const isThere = /already has a policy/.test(answer.text);
    return answer.status === 200 && (isThere || field(answer.json, "updated_indices") === 1)
      ? `the policy '${policy}' goes on with it`
      : `the policy '${policy}' could not be attached to it: ${answer.text.slice(0, 200)}`;
  }

  async #undo(): Promise<void> {
    if (this.#state === undefined) return;
    await undoCopy(this.#cluster, this.#state.current, this.context.work.ensureHeld);
    this.#state = undefined;
    this.#isUndone = true;
  }

  #keep(state: CopyState): KeptState {
    return new KeptState(state, (next) => {
      return this.context.work.progress({ resume: { ...next } as Attempt["resume"] & object });
    });
  }

  /** What the failure leaves behind: of what cannot be finished nothing. */
  async #failed(thrown: unknown): Promise<ExecutionError> {
    const { connection, migration: { file: { path } }, work } = this.context;
    // What a run that was taken over is refused is no fault of the cluster.
    const error = await work.ensureHeld().then(() => thrown, (lost) => lost);
    const failure = (lines: readonly string[]) =>
      new MigrationFailedError(connection, path, this.#cluster.redact(lines.join("\n  ")));
    if (error instanceof LockedError && this.#state?.current.phase === "new") {
      await this.#pair.withdraw(this.#state.current).catch(() => {});
    }
    const reasons = error instanceof LockedError ? undefined : reasonsOf(error, path);
    if (reasons !== undefined || this.#isMistake(error)) {
      return await this.#refused(reasons ?? [errorOf(error).message], failure);
    }
    return this.#interrupted(error, failure);
  }

  #interrupted(error: unknown, failure: (lines: readonly string[]) => Error): ExecutionError {
    const { signal } = this.context.work;
    const left = this.#state && `The next run goes on: ${describeCopy(this.#state.current)}`;
    const cause = error instanceof StepError || error instanceof WriteFailedError
      ? failure([error.message, ...(left === undefined ? [] : [left])])
      : errorOf(error);
    const isRefused = error instanceof TransportError && (error.refused || !error.mayHaveArrived);
    if (this.#state === undefined && (isRefused || this.#isUndone)) {
      return this.#error(cause, "none", { undone: this.#isUndone });
    }
    const isStop = signal?.aborted === true && error === signal.reason;
    return this.#error(cause, "unknown", isStop ? {} : this.#known());
  }

  #known() {
    return this.#state ? { known: describeCopy(this.#state.current) } : {};
  }

  /** The failure of a copy that can never succeed, which is undone. */
  async #refused(
    lines: readonly string[],
    failure: (lines: readonly string[]) => Error,
  ): Promise<ExecutionError> {
    try {
      await this.#undo();
    } catch (cause) {
      const more = `Cannot delete the unfinished copy: ${errorOf(cause).message}`;
      return this.#error(failure([...lines, more]), "unknown", this.#known());
    }
    return this.#error(failure(lines), "none", { undone: true });
  }

  /** Whether the cluster has refused something before anything is copied: it would refuse it again. */
  #isMistake(error: unknown): boolean {
    const isBegun = this.#state !== undefined && this.#state.current.phase !== "new";
    if (isBegun || !(error instanceof StepError)) return false;
    const { status, repeated } = error.answer;
    return status >= 400 && status < 500 && status !== 408 && status !== 429 && !repeated;
  }

  #error(
    cause: Error,
    effect: ExecutionError["effect"],
    about: ConstructorParameters<typeof ExecutionError>[2],
  ): ExecutionError {
    return new ExecutionError(cause, effect, {
      ...about,
      ...(this.#left.length > 0 && { leftBehind: this.#left }),
    });
  }
}
