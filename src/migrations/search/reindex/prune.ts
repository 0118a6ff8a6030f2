import type { JournalEntry, Leftover, Work } from "../../runner/mod.ts";
import type { Cluster } from "../cluster/cluster.ts";
import { isWriteBlocked } from "./refusals.ts";
import { describeSize, type LiveIndex, readIndex, sizeOf } from "./live_index.ts";
import { IndexPair } from "./pair.ts";

export async function oldIndices(
  cluster: Cluster,
  entries: readonly JournalEntry[],
): Promise<readonly Leftover[]> {
  const found: Leftover[] = [];
  for (const { path, applied } of entries) {
    for (const name of applied?.leftBehind ?? []) {
      const index = await readIndex(cluster, name);
      if (index === undefined || isInUse(index)) continue;
      found.push({ file: path, name, size: describeSize(await sizeOf(cluster, name)) });
    }
  }
  return found;
}

/** Whether an old index is in use again: an alias points to it, or its writes are unblocked. */
function isInUse(index: LiveIndex): boolean {
  return Object.keys(index.aliases).length > 0 || !isWriteBlocked(index);
}

export async function pruneIndex(
  cluster: Cluster,
  { name }: Leftover,
  { ensureHeld }: Pick<Work, "ensureHeld">,
): Promise<boolean> {
  const index = await readIndex(cluster, name);
  if (index === undefined) return true;
  if (isInUse(index)) return false;
  await new IndexPair(cluster, ensureHeld).delete(name);
  return true;
}
