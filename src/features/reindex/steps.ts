import { errorOf } from "../../text/mod.ts";
import type { Applied } from "../../migrations/runner/mod.ts";
import { takeOverCopy } from "./abandon.ts";
import { IndexChange } from "./change.ts";
import type { CopyRecord } from "./copy_state.ts";
import { expectedIndex } from "./definition.ts";
import { allOf, differenceOf, expectedWay, type IndexDifference } from "./difference.ts";
import { between, type ShardProgress } from "./documents.ts";
import { CopyRefusedError } from "./expect.ts";
import { bringFields, changeInPlace } from "./in_place.ts";
import { type LiveIndex, readIndex, readIndices } from "../live_indices/live_index.ts";
import { documentCount, seriesOf } from "./live_index.ts";
import { nextVersion } from "./names.ts";
import { inPlaceNote, leftNote, unchangedNote } from "./notes.ts";
import type { IndexPair } from "./pair.ts";
import { PauseOverError, WritePause } from "./pause.ts";
import { isWriteBlocked, refuseNext, shapeProblem } from "./refusals.ts";
import { Rounds } from "./rounds.ts";
import { runningCopies } from "./server_copy.ts";

const PAUSES = 3;

interface Comparison {
  readonly live: LiveIndex;
  readonly unnamed: IndexDifference["left"];
  readonly number: number;
  /** Aliases of the old index that a template gives to the new one, too. */
  readonly pinned: readonly string[];
  /** Where a copy was expected: the old index may be copied, and the new one is attached to the policy. */
  readonly fit: { readonly policy: string | undefined } | undefined;
}

interface Copying {
  readonly rounds: Rounds;
  readonly pause: WritePause;
  /** How often writers wait, with the next time. */
  readonly attempt: number;
}

interface Complete extends Copying {
  /** How far the old index was before the last round. */
  readonly end: ShardProgress;
  readonly documents: number;
}

interface Proven extends Complete {
  readonly live: LiveIndex;
}

/** Each step receives this from the step before it, in addition to the change and its record. */
interface Given {
  readonly resume: undefined;
  readonly compare: undefined;
  readonly make: Comparison;
  readonly copy: Copying;
  readonly catchUp: Copying;
  readonly block: Copying;
  readonly copyRest: Copying;
  readonly prove: Complete;
  readonly switch: Proven;
  /** `sent` is a switch whose result is unknown. */
  readonly unblock: Copying & { readonly error: Error; readonly sent: Proven | undefined };
  /** `undefined` where an earlier run has switched. */
  readonly finish: Complete | undefined;
  readonly done: string;
}

export type Step = Exclude<keyof Given, "done">;
type Next<S extends keyof Given = keyof Given> = {
  readonly [T in S]: { readonly step: T; readonly given: Given[T] };
}[S];

function next<S extends keyof Given>(step: S, given: Given[S]) {
  return { step, given } as Next<S>;
}

/** A step writes to the journal what the next run needs to continue there. ADR 236 has a picture. */
export const STEPS: {
  readonly [S in Step]: (change: IndexChange, given: Given[S]) => Promise<Next>;
} = {
  async resume(change) {
    const { pair, record } = change;
    if (await pair.isSwitched(record.current)) return next("finish", undefined);
    const isBegun = change.isWanted && record.current.step !== "make";
    if (!isBegun || !await takeOverCopy(pair, record)) {
      await change.undo();
      return next("compare", undefined);
    }
    const made = await readIndex(pair.cluster, record.current.to);
    if (made) await pair.tune(record.current, made);
    return next(record.current.step === "copy" ? "copy" : "catchUp", await startCopying(change));
  },

  async compare(change) {
    const { file, migration: { resource: name }, pair, pair: { cluster } } = change;
    const indices = await readIndices(cluster, name);
    const [live] = indices;
    if (live === undefined) return next("done", await change.createFirst());
    const number = await nextVersion(cluster, name);
    const expected = await expectedIndex(cluster, change.nameOf(number), file);
    const found = indices.map((index) => differenceOf(file, expected, index));
    const ways = found.map(expectedWay);
    // The new index is made with what is left, so only the file itself tells what that is.
    const { left: unnamed } = found[0]!;
    const shape = shapeProblem(name, indices, await seriesOf(cluster, live));
    if (shape !== undefined) {
      if (ways.some((way) => way !== "nothing")) throw new CopyRefusedError(shape);
      return next("done", unchangedNote(unnamed));
    }
    const fit = ways[0] === "copy" ? { policy: await change.policyOf(live) } : undefined;
    if (ways[0] !== "nothing") await refuseNext(cluster, file, live);
    const pinned = await pair.aliasesToPin(live, expected.aliases);
    return next("make", { live, unnamed, number, pinned, fit });
  },

  /** Makes the new index, and deletes it again where the live one takes the change. */
  async make(change, comparison) {
    const { file, pair, record } = change;
    const { live, number, pinned, unnamed, fit } = comparison;
    const made = await change.createNext(live, change.nameOf(number), pinned);
    if (made === undefined) return next("make", { ...comparison, number: number + 1 });
    const difference = differenceOf(file, made, live);
    const isSame = allOf(difference).length === 0;
    if (isSame || await changeInPlace(change, { live, made, difference })) {
      await change.undo();
      const note = isSame ? unchangedNote(unnamed) : inPlaceNote(difference) + leftNote(unnamed);
      return next("done", note);
    }
    const policy = fit ? fit.policy : await change.policyOf(live);
    await refuseNext(pair.cluster, file, live, made);
    await bringFields(change, live);
    const restore = await pair.tune(record.current, made);
    await record.change({ step: "copy", restore, policy });
    return next("copy", await startCopying(change));
  },

  /** On a signal, copies of the cluster go on. */
  async copy(_, copying) {
    await copying.rounds.copyAll();
    return next("catchUp", copying);
  },

  async catchUp({ pair, record, settings, work }, copying) {
    await copying.rounds.catchUp();
    await pair.fillReplicas(record.current, work);
    await copying.rounds.settle();
    const { from } = record.current;
    const live = await readIndex(pair.cluster, from);
    if (live !== undefined && isWriteBlocked(live)) return next("copyRest", copying);
    if (settings.writePauseMs !== "none") return next("block", copying);
    throw new CopyRefusedError(
      `Writes to '${from}' were unblocked during the copy, and 'write_pause' is 'none': block them, or allow a pause`,
    );
  },

  async block({ pair, record, settings, work: { onProgress, signal } }, copying) {
    signal?.throwIfAborted();
    onProgress?.({ message: "writers wait" });
    await record.change({ step: "block" });
    copying.pause.begin(Number(settings.writePauseMs));
    return await whileWritersWait(copying, async () => {
      if (await pair.block(record.current)) return next("copyRest", copying);
      throw new PauseOverError("not every shard confirmed the write block");
    });
  },

  async copyRest({ record }, copying) {
    const { rounds } = copying;
    return await whileWritersWait(copying, async () => {
      const end = await rounds.from.progress();
      await rounds.round(true);
      let documents = await rounds.count();
      // All documents of the old index have arrived: if it has as many, it has the same.
      if (documents.from !== documents.to) {
        await rounds.takeAwayDeleted();
        documents = await rounds.count();
      }
      if (documents.from === documents.to) {
        return next("prove", { ...copying, end, documents: documents.to });
      }
      // The known deletions do not explain the difference, so all keys are compared before the next attempt.
      await rounds.end();
      const counts = `${documents.from} documents, its copy ${documents.to}`;
      throw new PauseOverError(`'${record.current.from}' had ${counts}`);
    });
  },

  async prove(change, complete) {
    const { pair, record, settings } = change;
    const { rounds, pause, end } = complete;
    const { from, name } = record.current;
    return await whileWritersWait(complete, async () => {
      await rounds.destination().proveEqual(rounds.window, () => pause.check());
      pause.check();
      if (from === name && settings.oldIndices === "keep") await change.backUp(() => pause.check());
      pause.check();
      const live = await readIndex(pair.cluster, from);
      await pair.restore(record.current, change.file, live);
      const isStill = live !== undefined && isWriteBlocked(live) &&
        between(end.given, (await rounds.from.progress()).given) === 0 &&
        (await runningCopies(pair, record.current)).length === 0;
      if (isStill) return next("switch", { ...complete, live });
      throw new PauseOverError("another client unblocked writes, or started a copy");
    });
  },

  async switch({ file, pair, record }, proven) {
    return await whileWritersWait(proven, async () => {
      await pair.switchOver(record.current, proven.live, file.aliases);
      await record.change({ step: "finish" });
      return next("finish", proven);
    }, proven);
  },

  async unblock({ pair, record, work: { signal } }, failed) {
    const { rounds, pause, attempt, error, sent } = failed;
    pause.stop(error);
    if (await isSwitchedAfterFailure(pair, record, failed)) return next("finish", sent);
    signal?.throwIfAborted();
    if (!(error instanceof PauseOverError)) throw error;
    const made = await readIndex(pair.cluster, record.current.to);
    if (made) await pair.tune(record.current, made);
    await pause.end();
    if (attempt < PAUSES) return next("catchUp", { rounds, pause, attempt: attempt + 1 });
    throw new CopyRefusedError(
      `The copy could not replace '${record.current.name}' in ${PAUSES} attempts; in the last one, ${error.message}`,
    );
  },

  async finish(change, copied) {
    const { pair, record, settings: { oldIndices } } = change;
    const { from, to, name, backups, policy } = record.current;
    const isWrittenTo = copied !== undefined && await wasWrittenTo(change, copied);
    const pauseMs = copied && await endCopying(copied);
    for (const other of backups.slice(0, -1)) await pair.delete(other);
    const isConcrete = from === name;
    if (oldIndices === "delete" && !isConcrete) await pair.delete(from);
    const kept = isConcrete ? backups.at(-1) : oldIndices === "keep" ? from : undefined;
    if (kept !== undefined) change.left.push(kept);
    const notes = [
      copied
        ? `copied ${documentCount(copied.documents)} into '${to}'`
        : `'${name}' is '${to}' now`,
      pauseMs !== undefined && `writers waited ${(pauseMs / 1000).toFixed(1)} s`,
      kept !== undefined && `the old data is '${kept}'`,
      isWrittenTo && `another client unblocked writes meanwhile: its writes are only in '${from}'`,
      policy !== undefined && await pair.attachPolicy(record.current, policy),
    ].filter((note) => note);
    const isDone = change.isWanted;
    record.forget();
    return isDone ? next("done", notes.join("; ")) : next("compare", undefined);
  },
};

async function startCopying(change: IndexChange): Promise<Given["copy"]> {
  const pause = new WritePause(change.work.signal);
  return { rounds: await Rounds.of(change, () => pause.check()), pause, attempt: 1 };
}

/** Lifts a block of ours. @returns whether the new index has taken the place of the old one */
async function isSwitchedAfterFailure(
  pair: IndexPair,
  record: CopyRecord,
  { error, sent }: Given["unblock"],
) {
  const before = record.current;
  if (before.step === "finish") return true;
  if (before.step !== "block" && !sent) return false;
  try {
    if (await takeOverCopy(pair, record)) return false;
    if (await pair.isSwitched(record.current)) return true;
    throw new CopyRefusedError(`The index '${record.current.from}', or its copy, was deleted`);
  } catch (failure) {
    // The lock is lost, or the cluster does not answer: our marker removes only our own block. The index may still have
    // the one from before the copy was taken over.
    const marked = sent ? [] : [before, record.current];
    for (const state of marked) await pair.unblock(state).catch(() => {});
    throw error instanceof PauseOverError ? failure : error;
  }
}

/** Whether a client has written to the old index after both were proven equal. */
async function wasWrittenTo({ record }: IndexChange, { rounds, end }: Given["prove"]) {
  if (record.current.from === record.current.name) return false;
  const { given } = await rounds.from.progress().catch(() => end);
  return between(end.given, given) !== 0;
}

/** Where something goes wrong, or takes too long, writers are let through. */
async function whileWritersWait<N extends Next>(
  copying: Given["block"],
  work: () => Promise<N>,
  sent?: Given["switch"],
): Promise<N | Next<"unblock">> {
  try {
    return await copying.pause.within(work);
  } catch (error) {
    return next("unblock", { ...copying, error: errorOf(error), sent });
  }
}

/** Lets go of what the cluster keeps for the copy. @returns how long writers waited, if they did */
async function endCopying({ pause, rounds }: Given["copy"]): Promise<number | undefined> {
  const pauseMs = await pause.end();
  await rounds.end().catch(() => {});
  return pauseMs;
}

/** Changes an index with the least that is needed: nothing, in place, or by a copy. @throws {ExecutionError} */
export async function applyChange(
  ...about: ConstructorParameters<typeof IndexChange>
): Promise<Applied> {
  const change = new IndexChange(...about);
  let coming: Next = next(change.record.known ? "resume" : "compare", undefined);
  try {
    while (coming.step !== "done") coming = await runStep(change, coming.step, coming.given);
    return { note: change.pair.cluster.redact(coming.given), ...change.leftBehind };
  } catch (error) {
    if (typeof coming.given === "object" && "rounds" in coming.given) {
      await endCopying(coming.given);
    }
    throw await change.failure(error);
  }
}

function runStep<S extends Step>(change: IndexChange, step: S, given: Given[S]): Promise<Next> {
  return STEPS[step](change, given);
}
