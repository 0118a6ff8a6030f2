import type { Attempt, Work } from "../../runner/mod.ts";
import type { Cluster } from "../cluster.ts";
import { type CopyState, copyStateOf, copyTarget } from "./copy_state.ts";
import { IndexPair } from "./pair.ts";
import { cancelTask, runningCopies } from "./server_copy.ts";

/**
 * Gives up a copy that was cut off: what the cluster copies is cancelled, a block of ours lifted, the new index deleted.
 *
 * @returns what was done, as a sentence without its final period
 */
export async function abandonCopy(
  cluster: Cluster,
  { resume }: Attempt,
  { ensureHeld }: Pick<Work, "ensureHeld">,
): Promise<string> {
  const state = copyStateOf(resume);
  if (state === undefined) return "there was nothing to give up";
  if (await new IndexPair(cluster, ensureHeld).isSwitched(state)) {
    return `'${state.name}' is '${state.to}' already, and stays so`;
  }
  await undoCopy(cluster, state, ensureHeld);
  const { from, to, name, phase } = state;
  const writes = phase === "blocked" ? ", and takes writes again" : "";
  return `the copy of '${from}' was given up: '${to}' is deleted, '${name}' is as it was${writes}`;
}

/** Takes away whatever was made of a copy that has not taken the place of its original. */
export async function undoCopy(
  cluster: Cluster,
  state: CopyState,
  ensureHeld: () => Promise<void>,
): Promise<void> {
  const { to, phase, backups = [] } = state;
  const pair = new IndexPair(cluster, ensureHeld);
  // Writers come first.
  if (phase === "blocked") await pair.unblock(state);
  for (const { task } of await runningCopies(cluster, [to, copyTarget(state)])) {
    await ensureHeld();
    await cancelTask(cluster, task);
  }
  await pair.unpin(state);
  await pair.clear(state);
  for (const backup of backups) await pair.delete(backup);
}
