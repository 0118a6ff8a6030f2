import { type CopyRecord, type CopyState, ofNewRun } from "./copy_state.ts";
import type { IndexPair } from "./pair.ts";
import { cancelTask, runningCopies } from "./server_copy.ts";

/**
 * Assigns a copy to this run. Requests to end it come to nothing from then on, so that the block of an earlier run is lifted.
 * @returns `false` when the copy cannot continue: the new index has taken the place of the old one, or one was deleted
 */
export async function takeOverCopy(pair: IndexPair, record: CopyRecord): Promise<boolean> {
  await record.change({ runs: ofNewRun(record.current).runs });
  if (!await pair.takeOver(record.current)) return false;
  if (record.current.step !== "block") return true;
  await pair.unblock(record.current);
  await record.change({ step: "catchUp" });
  return true;
}

export async function undoCopy(pair: IndexPair, state: CopyState): Promise<void> {
  const { step, backups } = state;
  // A new run has new markers, so earlier requests that end or continue the copy fail from here on.
  const last = ofNewRun(state);
  const isOurs = await pair.takeOver(last);
  if (isOurs) {
    if (step === "block") await pair.unblock(last);
    // A task whose index was deleted would create one of the name that it writes to.
    for (const { task } of await runningCopies(pair, state)) await cancelTask(pair, task);
  }
  await pair.undo(last, step === "block" && !isOurs);
  await pair.unpin(state);
  for (const backup of backups) await pair.delete(backup);
}
