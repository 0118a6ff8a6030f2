import type { Abandoned, Attempt, CutOffWork } from "../../migrations/runner/mod.ts";
import type { Cluster } from "../../migrations/search/cluster/cluster.ts";
import { type CopyState, copyStateOf, KeptState, ofNewRun } from "./copy_state.ts";
import { IndexPair } from "./pair.ts";
import { cancelTask, runningCopies } from "./server_copy.ts";

/** Gives up a copy that was cut off: cancels its tasks, lifts a block of ours, deletes the new index. */
export async function abandonCopy(
  cluster: Cluster,
  { resume }: Attempt,
  { ensureHeld }: Pick<CutOffWork, "ensureHeld">,
): Promise<Abandoned> {
  const state = copyStateOf(resume);
  if (state === undefined) return { message: "there was nothing to give up" };
  const { from, to, name, step, backups } = state;
  const pair = new IndexPair(cluster, ensureHeld);
  if (await pair.isSwitched(state)) {
    const leftBehind = from === name ? backups.slice(-1) : [from];
    return { message: `'${name}' is '${to}' already, and stays so`, leftBehind };
  }
  await undoCopy(pair, state);
  const writes = step === "replace" ? ", and takes writes again" : "";
  const message =
    `the copy of '${from}' was given up: '${to}' is deleted, '${name}' is as it was${writes}`;
  return { message };
}

/** Lets writers through whom a copy that was cut off keeps waiting; what else there is of it stays. */
export async function unblockWrites(
  cluster: Cluster,
  { resume }: Attempt,
  { ensureHeld, save }: Pick<CutOffWork, "ensureHeld" | "save">,
): Promise<void> {
  const state = copyStateOf(resume);
  if (state?.step !== "replace") return;
  const pair = new IndexPair(cluster, ensureHeld);
  if (await pair.isSwitched(state)) return;
  await takeOverCopy(pair, new KeptState(state, save));
}

/**
 * Makes a copy this run's, and lifts a block that one before it has set, once nothing can come of what was sent to end the
 * copy.
 *
 * @returns `false` when the copy cannot continue: the new index has taken the place of the old one, or one was deleted
 */
export async function takeOverCopy(pair: IndexPair, state: KeptState): Promise<boolean> {
  await state.change({ runs: ofNewRun(state.current).runs });
  if (!await pair.takeOver(state.current)) return false;
  if (state.current.step !== "replace") return true;
  await pair.unblock(state.current);
  await state.change({ step: "follow" });
  return true;
}

export async function undoCopy(pair: IndexPair, state: CopyState): Promise<void> {
  const { step, backups } = state;
  // What was sent before, to end the copy or to go on with it, comes to nothing from here on.
  const last = ofNewRun(state);
  const isOurs = await pair.takeOver(last);
  if (isOurs) {
    if (step === "replace") await pair.unblock(last);
    // A task whose index was deleted would create one of the name that it writes to.
    for (const { task } of await runningCopies(pair, state)) await cancelTask(pair, task);
  }
  await pair.undo(isOurs ? { ...last, step: "follow" } : last);
  await pair.unpin(state);
  for (const backup of backups) await pair.delete(backup);
}
