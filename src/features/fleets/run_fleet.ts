import { noticesOf, waitUntilReachable } from "../../migrations/connections.ts";
import {
  inParallel,
  type Many,
  type ManyOptions,
  type RunReport,
  type TargetPart,
} from "../../migrations/runner/mod.ts";
import { searchTarget } from "../../migrations/search/mod.ts";
import { SEARCH } from "../../migrations/search/offers.ts";
import { errorOf } from "../../text/mod.ts";
import { partNamer } from "../parts/each.ts";
import { partRunner } from "../parts/run_part.ts";
import { type Cluster, clustersOf } from "./clusters.ts";
import { FLEET } from "./fleet.ts";
import { inOrder, ownFilesOf, refuseTwice } from "./own_files.ts";
import { stopBetween } from "./pauses.ts";

export const FLEETS: Many = {
  parts: partsOf,
  /** A cluster that fails stops itself alone, and the groups after its own. */
  async run(connection, options) {
    const { parallel } = FLEET.of(connection.target)!;
    const all = await partsOf(connection, options);
    const runPart = partRunner(all.length, options);
    const groups = [...Map.groupBy(all, ({ group }) => group).values()];
    const reports: RunReport[] = [];
    let isLeftOut = false;
    for (const [index, group] of groups.entries()) {
      const runCluster = async (part: FleetPart) => {
        return await runPart(await prepared(part), { isLeftOut });
      };
      const found = await inParallel(group, parallel, runCluster);
      reports.push(...found);
      isLeftOut ||= found.some(({ error, stopped }) => error || stopped);
      const next = groups[index + 1];
      if (next === undefined || isLeftOut) continue;
      const isChanged = found.some(({ outcome }) => outcome === "migrated");
      const parts = groups.slice(0, index + 1).flat();
      const done = { name: group[0]!.group, parts, isChanged };
      const after = { name: next[0]!.group, parts: next };
      const stop = await stopBetween(connection.target, done, after, options);
      isLeftOut = stop !== undefined || options.signal?.aborted === true;
      if (stop) reports.push(stop);
    }
    return reports;
  },
  async each(connection, options, work) {
    const { parallel } = FLEET.of(connection.target)!;
    const parts = await partsOf(connection, options);
    return await inParallel(parts, parallel, async (part) => await work(await prepared(part)));
  },
};

/** Its files have no values yet. */
interface FleetPart extends TargetPart, Pick<Cluster, "group"> {}

async function partsOf(
  { target, files }: TargetPart,
  options: ManyOptions,
): Promise<readonly FleetPart[]> {
  const { environment } = SEARCH.of(target)!;
  const { names, chosen } = await clustersOf(target, options);
  const ownFiles = await ownFilesOf(target, names, options);
  return await Promise.all(chosen.map(async ({ name, group, connection }) => {
    const onNotice = noticesOf(connection.name, options.onEvent);
    const own = searchTarget(connection, { ...environment, onNotice });
    const found = await ownFiles(name, connection.name).catch(errorOf);
    // Commands that read the shared files themselves have none of the cluster.
    const withValues: typeof own.withValues = async (given) => {
      if (found instanceof Error) throw found;
      const isWhole = found.every((file) => given.includes(file));
      const all = isWhole ? given : inOrder([...given, ...await ownFiles(name, connection.name)]);
      refuseTwice(all, connection.name);
      return await own.withValues(all);
    };
    const whole = { ...own, folder: target.folder, withValues };
    const waited = options.waitMs ? waitUntilReachable(whole, options.waitMs, onNotice) : whole;
    const all = found instanceof Error ? files : inOrder([...files, ...found]);
    return {
      target: waited,
      files: all,
      part: name,
      group,
      namePartIn: partNamer(target.connection, name),
    };
  }));
}

/** With its values. A cluster whose files cannot have them fails alone. */
async function prepared(part: FleetPart): Promise<TargetPart> {
  const { target, files } = part;
  try {
    return { ...part, files: await target.withValues(files) };
  } catch (error) {
    return { ...part, target: { ...target, open: () => Promise.reject(error) } };
  }
}
