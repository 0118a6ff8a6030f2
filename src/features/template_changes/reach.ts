import type { Difference } from "../../migrations/runner/mod.ts";
import type { Cluster } from "../../migrations/search/cluster/cluster.ts";
import { additions, differences } from "../../migrations/search/json/compare.ts";
import { type Json, omit } from "../../migrations/search/json/json_values.ts";
import { liveIndexForm } from "../../migrations/search/kinds/indices.ts";
import { resourceOf } from "../../migrations/search/kinds/resource.ts";
import type { SearchMigration } from "../../migrations/search/types.ts";
import { readIndex } from "../reindex/live_index.ts";
import { readTargets, rolloverProblem, type Target } from "./targets.ts";
import { Templates } from "./templates.ts";

/** A data stream or a write alias whose next index is defined by files of a run. */
export interface Reached extends Target {
  /** The last of these files. */
  readonly path: string;
  /** The write index compared with the next one. */
  readonly differences: readonly Difference[];
  /** Whether the next one lacks a part that earlier templates gave: other parts are of documents and users. */
  readonly isLess: boolean;
  readonly problem: string | undefined;
}

/** @param written what they were found to reach, where they are applied already */
export async function reachOf(
  cluster: Cluster,
  files: readonly SearchMigration[],
  written?: readonly Reached[],
): Promise<readonly Reached[]> {
  const targets = await readTargets(cluster);
  if (targets.length === 0) return [];
  const before = await Templates.read(cluster);
  const after = written ? before : before.with(files);
  const reached: Reached[] = [];
  for (const target of targets) {
    const [had, keys] = [before.keysOf(target.matched), after.keysOf(target.matched)];
    const all = [...had, ...keys];
    const path = written?.find(({ name }) => name === target.name)?.path ??
      files.findLast(({ request }) => all.includes(resourceOf(request)!.key))?.file.path;
    const live = path && keys.length > 0 && await readIndex(cluster, target.index);
    if (!live) continue;
    const next = await after.expected(keys);
    const difference = differenceOf(await before.expected(had), next, { ...live });
    const problem = rolloverProblem(target, targets, next.aliases);
    reached.push({ ...target, ...difference, path, problem });
  }
  return reached;
}

function differenceOf(...definitions: readonly [before: Json, after: Json, live: Json]) {
  const [before, after, live] = definitions
    .map((one) => omit(liveIndexForm(one), (_, part) => part === "aliases"));
  const beyond = (has: unknown) =>
    additions(after, has).filter(({ wanted }) => wanted === undefined);
  const given = beyond(before).map(({ path }) => path);
  const removed = beyond(live).filter(({ path }) => given.includes(path));
  return { differences: [...differences(after, live), ...removed], isLess: removed.length > 0 };
}
