import { errorOf } from "../../../text/mod.ts";
import {
  type Applied,
  type Attempt,
  ExecutionError,
  LockedError,
  mayHaveRun,
  MigrationFailedError,
  type Work,
} from "../../runner/mod.ts";
import { errorType, failureOf } from "../answer.ts";
import { partsOf } from "../_slices.ts";
import type { Cluster } from "../cluster.ts";
import { field, valueOf } from "../json_values.ts";
import type { ReindexSettings, SearchMigration } from "../types.ts";
import { RefusedDocumentsError } from "./arrivals.ts";
import { Copy, type CopyResult } from "./copy.ts";
import { copyMarker, type CopyState, copyStateOf, copyTarget, describeCopy } from "./copy_state.ts";
import { definitionOf, firstBody, type IndexDefinition, nextBody } from "./definition.ts";
import {
  allOf,
  differenceOf,
  expectedWay,
  type IndexDifference,
  leftFields,
} from "./difference.ts";
import { CopyRefusedError, expectAnswer, StepError } from "./expect.ts";
import { type LiveIndex, readIndex, readIndices } from "./live_index.ts";
import { namesBelow, nextVersion, versionName } from "./names.ts";
import { IndexPair } from "./pair.ts";
import { refuseOtherServers, refuseUnfit, shapeProblem } from "./refusals.ts";
import { cancelTask, runningCopies } from "./server_copy.ts";

/** What one index file is applied with. */
export interface IndexChangeContext {
  readonly cluster: Cluster;
  readonly connection: string;
  readonly settings: ReindexSettings;
  readonly migration: SearchMigration;
  readonly work: Work;
}

/**
 * Brings a live index to what its file says, with the least that is needed: nothing, in place, or by a copy that takes its
 * place.
 *
 * @throws {ExecutionError}
 */
export async function changeIndex(context: IndexChangeContext): Promise<Applied> {
  return await new IndexChange(context).run();
}

/**
 * Gives up a copy that was cut off: what the cluster copies is cancelled, a block of ours lifted, the new index deleted.
 *
 * @returns what was done, as a sentence without its final period
 */
export async function abandonCopy(
  cluster: Cluster,
  attempt: Attempt,
  { ensureHeld }: Pick<Work, "ensureHeld">,
): Promise<string> {
  const state = copyStateOf(attempt.resume);
  if (state === undefined) return "there was nothing to give up";
  return await abandon(cluster, new IndexPair(cluster, ensureHeld), state, ensureHeld);
}

async function abandon(
  cluster: Cluster,
  pair: IndexPair,
  state: CopyState,
  ensureHeld: () => Promise<void>,
): Promise<string> {
  const { from, to, name, phase, backups = [] } = state;
  if (await pair.isSwitched(state)) return `'${name}' is '${to}' already, and stays so`;
  for (const { task } of await runningCopies(cluster, [to, copyTarget(state)])) {
    await ensureHeld();
    await cancelTask(cluster, task);
  }
  if (phase === "blocked") await pair.unblock(state);
  await pair.unpin(state);
  await pair.clear(state);
  for (const backup of backups) await pair.delete(backup);
  const writes = phase === "blocked" ? ", and lets writes through again" : "";
  return `the copy of '${from}' was given up: '${to}' is deleted, '${name}' is as it was${writes}`;
}

/** One index file on its way to the cluster. */
class IndexChange {
  readonly #cluster: Cluster;
  readonly #context: IndexChangeContext;
  readonly #pair: IndexPair;
  readonly #file: IndexDefinition;
  readonly #name: string;
  readonly #run = crypto.randomUUID().slice(0, 13);
  #state: CopyState | undefined;
  /** Whether what an earlier run had begun is undone. */
  #isUndone = false;
  /** What earlier attempts of this file have replaced. */
  #left: readonly string[];

  constructor(context: IndexChangeContext) {
    this.#context = context;
    this.#cluster = context.cluster;
    this.#pair = new IndexPair(context.cluster, context.work.ensureHeld);
    this.#file = definitionOf(context.migration.request.body ?? "{}");
    this.#name = context.migration.resource;
    this.#left = context.work.entry.applied?.leftBehind ?? [];
  }

  async run(): Promise<Applied> {
    const { attempt } = this.#context.work.entry;
    this.#state = mayHaveRun(attempt) ? copyStateOf(attempt.resume) : undefined;
    try {
      const applied = await this.#change();
      return { ...applied, ...(this.#left.length > 0 && { leftBehind: this.#left }) };
    } catch (error) {
      throw await this.#failed(error);
    }
  }

  async #change(): Promise<Applied> {
    if (this.#state) {
      const resumed = await this.#resume(this.#state);
      if (resumed) return resumed;
    }
    const indices = await readIndices(this.#cluster, this.#name);
    const [live] = indices;
    if (live === undefined) return await this.#create();
    const expected = differenceOf(this.#file, this.#asFile(), live);
    const shape = shapeProblem(this.#name, indices);
    if (shape !== undefined) {
      const isSame = indices.every((index) =>
        expectedWay(differenceOf(this.#file, this.#asFile(), index)) === "nothing"
      );
      if (isSame) return { note: "nothing of it differs from what is there" };
      throw new CopyRefusedError(shape);
    }
    let isFit = false;
    let policy: string | undefined;
    const refuse = async () => {
      if (!isFit) {
        await refuseOtherServers(this.#cluster);
        policy = await refuseUnfit(this.#cluster, live, this.#context.settings.writePauseMs);
      }
      isFit = true;
    };
    if (expectedWay(expected) === "copy") await refuse();
    const made = await this.#make(live);
    const difference = differenceOf(this.#file, made, live);
    const isNothing = allOf(difference).length === 0;
    if (isNothing || await this.#changeInPlace(live, made, difference)) {
      await this.#giveUp();
      return { note: isNothing ? unchangedNote(difference) : inPlaceNote(difference) };
    }
    await refuse();
    await this.#addLeftFields(made, live);
    const restore = await this.#pair.tune(this.#state!, made);
    await this.#save({
      ...this.#state!,
      phase: "copying",
      restore,
      ...(policy !== undefined && { policy }),
    });
    return await this.#copy();
  }

  /** What the file says, as far as that can be told without a cluster. */
  #asFile(): Pick<LiveIndex, "settings" | "mappings"> {
    const mappings = valueOf(`{${this.#file.mappings.join(",")}}`);
    return { settings: this.#file.settings, mappings: mappings as LiveIndex["mappings"] };
  }

  /** The first index of a name, and the name as its alias. */
  async #create(): Promise<Applied> {
    const { file: { hash } } = this.#context.migration;
    const body = firstBody(this.#file, this.#name);
    let number = 1;
    for (;;) {
      const index = versionName(this.#name, hash, number);
      await this.#context.work.ensureHeld();
      const request = { method: "PUT", path: `/${encodeURIComponent(index)}`, body };
      const answer = await this.#cluster.send(request, { repeatSafe: true });
      const note = `made as '${index}', with '${this.#name}' as its alias`;
      if (errorType(answer) === "resource_already_exists_exception") {
        const there = await readIndex(this.#cluster, index);
        if (there && Object.hasOwn(there.aliases, this.#name)) return { note };
        number = nextVersion(this.#name, await namesBelow(this.#cluster, this.#name));
        continue;
      }
      const failure = failureOf(request, answer);
      if (failure && !failure.unacknowledged) throw new StepError(request, answer, failure.reason);
      return { note };
    }
  }

  /** Makes the index that would follow, empty: the server says in its own words what the file says. */
  async #make(live: LiveIndex): Promise<LiveIndex> {
    const { migration: { file: { hash } } } = this.#context;
    let number = nextVersion(this.#name, await namesBelow(this.#cluster, this.#name));
    for (;; number++) {
      const to = versionName(this.#name, hash, number);
      const pinned = await this.#aliasesOfTemplates(to, live);
      const state: CopyState = {
        hash,
        name: this.#name,
        from: live.name,
        to,
        runs: [this.#run],
        phase: "new",
        round: 0,
        ...(pinned.length > 0 && { pinned }),
      };
      await this.#save(state);
      if (pinned.length > 0) await this.#pair.pin(live, pinned);
      await this.#pair.mark(state);
      if (!await this.#pair.make(state, nextBody(this.#file, live, IndexPair.aliases(state)))) {
        continue;
      }
      const made = await readIndex(this.#cluster, to);
      if (made === undefined) throw new Error(`The index '${to}' was made, and is not there`);
      await this.#pair.takeOffAliases(state, made);
      return made;
    }
  }

  /** Aliases that a template is going to give the new index, and whose writes have to go on to the old one. */
  async #aliasesOfTemplates(to: string, live: LiveIndex): Promise<readonly string[]> {
    const path = `/_index_template/_simulate_index/${encodeURIComponent(to)}`;
    const { json } = await expectAnswer(this.#cluster, { method: "POST", path });
    const given = Object.keys(field(field(json, "template"), "aliases") ?? {});
    return given.filter((alias) =>
      Object.hasOwn(live.aliases, alias) && live.aliases[alias]!.is_write_index === undefined
    );
  }

  /**
   * Changes the live index itself, where the cluster takes that; the new index tells which settings it takes.
   *
   * @returns `false` when it does not, and then nothing but what it took is changed
   */
  async #changeInPlace(
    live: LiveIndex,
    made: LiveIndex,
    difference: IndexDifference,
  ): Promise<boolean> {
    const { settings, additions, fields, removals, aliases } = difference;
    if (removals.length > 0) return false;
    const values = Object.fromEntries(
      settings.map(({ path, wanted }) => [path.replace(/^settings\./, ""), wanted ?? null]),
    );
    const path = `/${encodeURIComponent(live.name)}`;
    if (
      settings.length > 0 &&
      !await this.#isTaken(`/${copyMarker(this.#state!)}/_settings`, JSON.stringify(values))
    ) {
      return false;
    }
    if (additions.length + fields.length > 0) {
      if (!await this.#isTaken(`${path}/_mapping`, mappingsText(made))) return false;
    }
    if (settings.length > 0 && !await this.#isTaken(`${path}/_settings`, JSON.stringify(values))) {
      return false;
    }
    const now = await readIndex(this.#cluster, live.name);
    const left = now && differenceOf(this.#file, made, now);
    if (!left || left.settings.length + left.additions.length + left.fields.length > 0) {
      return false;
    }
    if (aliases.length > 0) {
      await this.#context.work.ensureHeld();
      const actions = aliases.map(({ path }) => {
        const alias = path.replace(/^aliases\./, "");
        return { add: { ...this.#file.aliases[alias], index: live.name, alias } };
      });
      await expectAnswer(this.#cluster, {
        method: "POST",
        path: "/_aliases",
        body: JSON.stringify({ actions }),
      });
    }
    return true;
  }

  /** Whether the cluster does it; nothing of a request is done that it refuses. */
  async #isTaken(path: string, body: string): Promise<boolean> {
    await this.#context.work.ensureHeld();
    const request = { method: "PUT", path, body };
    const answer = await this.#cluster.send(request, { repeatSafe: true });
    if (answer.status === 400) return false;
    const failure = failureOf(request, answer);
    if (failure) throw new StepError(request, answer, failure.reason);
    return true;
  }

  /** Fields of the live index that the file does not name, so that their documents stay what they are. */
  async #addLeftFields(made: LiveIndex, live: LiveIndex): Promise<void> {
    const left = leftFields(made.mappings, live.mappings);
    if (left === undefined) return;
    await this.#context.work.ensureHeld();
    const path = `/${copyMarker(this.#state!)}/_mapping`;
    const request = {
      method: "PUT",
      path,
      body: JSON.stringify({ properties: left.properties ?? {} }),
    };
    const answer = await this.#cluster.send(request, { repeatSafe: true });
    const failure = failureOf(request, answer);
    if (failure === undefined) return;
    throw new CopyRefusedError(
      `Fields of '${live.name}' that the file does not name do not fit to those that it names: ${failure.reason}`,
    );
  }

  async #resume(state: CopyState): Promise<Applied | undefined> {
    const isThis = state.hash === this.#context.migration.file.hash;
    if (state.phase !== "new" && await this.#pair.isSwitched(state)) {
      const applied = await this.#finish(state, { documents: -1 });
      if (isThis) return applied;
      this.#state = undefined;
      this.#isUndone = true;
      return undefined;
    }
    if (!isThis || state.phase === "new") {
      await this.#giveUp();
      return undefined;
    }
    const taken: CopyState = { ...state, runs: [...state.runs, this.#run] };
    await this.#save(taken);
    if (!await this.#pair.takeOver(taken)) {
      await this.#giveUp();
      return undefined;
    }
    if (taken.phase === "blocked") {
      await this.#pair.unblock(taken);
      await this.#save({ ...taken, phase: "copying" });
    }
    const made = await readIndex(this.#cluster, taken.to);
    if (made) await this.#pair.tune(this.#state!, made);
    return await this.#copy();
  }

  async #copy(): Promise<Applied> {
    const { settings, work } = this.#context;
    const copy = new Copy({
      cluster: this.#cluster,
      settings,
      pair: this.#pair,
      aliases: this.#file.aliases,
      save: (state) => this.#save(state),
      ensureHeld: work.ensureHeld,
      onProgress: (progress) => work.onProgress?.(progress),
      signal: work.signal,
    }, this.#state!);
    const result = await copy.run();
    return await this.#finish(this.#state!, result);
  }

  /** What is left to do once the new index has taken its place. */
  async #finish(state: CopyState, { documents, pauseMs }: CopyResult): Promise<Applied> {
    const { from, to, name, backups = [], policy } = state;
    const { oldIndices } = this.#context.settings;
    const isConcrete = from === name;
    const backup = backups.at(-1);
    for (const other of backups.slice(0, -1)) await this.#pair.delete(other);
    if (oldIndices === "delete" && !isConcrete) await this.#pair.delete(from);
    const kept = isConcrete ? backup : oldIndices === "keep" ? from : undefined;
    if (kept !== undefined) this.#left = [...new Set([...this.#left, kept])];
    const notes = [
      documents < 0
        ? `'${name}' is '${to}' now`
        : `copied ${documents.toLocaleString("en")} documents into '${to}'`,
      ...(pauseMs === undefined ? [] : [`writers waited ${(pauseMs / 1000).toFixed(1)} s`]),
      ...(kept === undefined ? [] : [`the old data is '${kept}'`]),
    ];
    if (policy !== undefined) notes.push(await this.#attachPolicy(to, policy));
    return { note: notes.join("; ") };
  }

  async #attachPolicy(index: string, policy: string): Promise<string> {
    await this.#context.work.ensureHeld();
    const path = `/_plugins/_ism/add/${encodeURIComponent(index)}`;
    const body = JSON.stringify({ policy_id: policy });
    const answer = await this.#cluster.send({ method: "POST", path, body }, { repeatSafe: true });
    const isThere = /already has a policy/.test(answer.text);
    return answer.status === 200 && (isThere || field(answer.json, "updated_indices") === 1)
      ? `the policy '${policy}' goes on with it`
      : `the policy '${policy}' could not be attached to it: ${answer.text.slice(0, 200)}`;
  }

  /** Undoes what was begun. */
  async #giveUp(): Promise<void> {
    if (this.#state === undefined) return;
    await abandon(this.#cluster, this.#pair, this.#state, this.#context.work.ensureHeld);
    this.#state = undefined;
    this.#isUndone = true;
  }

  async #save(state: CopyState): Promise<void> {
    this.#state = state;
    await this.#context.work.progress({
      resume: state as unknown as NonNullable<Attempt["resume"]>,
    });
  }

  /** What the failure leaves behind: of what cannot be finished nothing. */
  async #failed(thrown: unknown): Promise<ExecutionError> {
    // What a run that was taken over is refused is no fault of the cluster.
    const error = await this.#context.work.ensureHeld().then(() => thrown, (lost) => lost);
    const { signal } = this.#context.work;
    const reasons = reasonsOf(error, this.#context.migration.file.path);
    if (reasons === undefined || error instanceof LockedError) {
      const cause = this.#causeOf(error);
      const isStop = signal?.aborted === true && error === signal.reason;
      const known = this.#state && !isStop ? describeCopy(this.#state) : undefined;
      if (this.#state === undefined && this.#isUndone) {
        return new ExecutionError(cause, "none", { undone: true });
      }
      return new ExecutionError(cause, "unknown", { ...(known !== undefined && { known }) });
    }
    const { connection, migration: { file } } = this.#context;
    try {
      await this.#giveUp();
    } catch (cause) {
      return new ExecutionError(errorOf(cause), "unknown", {
        known: this.#state ? describeCopy(this.#state) : "",
      });
    }
    const text = this.#cluster.redact(reasons.join("\n  "));
    const failure = new MigrationFailedError(connection, file.path, text);
    return new ExecutionError(failure, "none", { undone: true });
  }

  #causeOf(error: unknown): Error {
    if (!(error instanceof StepError)) return errorOf(error);
    const lines = [
      error.message,
      ...(this.#state ? ["The next run goes on: " + describeCopy(this.#state)] : []),
    ];
    const { connection, migration: { file } } = this.#context;
    return new MigrationFailedError(
      connection,
      file.path,
      this.#cluster.redact(lines.join("\n  ")),
    );
  }
}

/** What to say of a copy that cannot be finished; `undefined` where the next run may go on. */
function reasonsOf(error: unknown, file: string): readonly string[] | undefined {
  if (error instanceof CopyRefusedError) return [error.message];
  if (!(error instanceof RefusedDocumentsError)) return undefined;
  const { documents } = error;
  return [
    `The new index refuses documents, ${documents.length} at least; nothing was changed:`,
    ...documents.slice(0, 5).map(({ id, reason }) => `  '${id}': ${reason}`),
    "Ways out:",
    "  - a pipeline that makes them fit: put it before this file, and set 'migrations.reindex_pipeline' to its name",
    `  - a file before '${file}' that mends them: { "method": "POST", "path": "/…/_update_by_query", … }`,
  ];
}

/** The mappings of an index as they stand in the answer. */
function mappingsText({ name, answer: { text } }: LiveIndex): string {
  const inside = (start: number, key: string) =>
    partsOf(text, start).find((part) =>
      JSON.parse(text.slice(part.name.start, part.name.end)) === key
    )!.value;
  const { start, end } = inside(inside(text.indexOf("{"), name).start, "mappings");
  return text.slice(start, end);
}

function unchangedNote({ left }: IndexDifference): string {
  return `nothing of it differs from what is there${leftNote(left)}`;
}

function inPlaceNote(difference: IndexDifference): string {
  return `changed in place: ${shortened(allOf(difference).map(({ path }) => path))}${
    leftNote(difference.left)
  }`;
}

function leftNote(left: readonly string[]): string {
  return left.length === 0 ? "" : `; what the file does not name is left: ${shortened(left)}`;
}

function shortened(paths: readonly string[]): string {
  return paths.slice(0, 3).join(", ") + (paths.length > 3 ? ` and ${paths.length - 3} more` : "");
}
