import { waitUntilReachable } from "../../migrations/connections.ts";
import {
  ConnectionError,
  inParallel,
  type Many,
  type ManyOptions,
  type RunReport,
  type TargetPart,
} from "../../migrations/runner/mod.ts";
import { searchTarget } from "../../migrations/search/mod.ts";
import { SEARCH } from "../../migrations/search/offers.ts";
import { errorOf } from "../../text/mod.ts";
import { partRunner } from "../parts/run_part.ts";
import { type Cluster, clustersOf } from "./clusters.ts";
import { FLEET } from "./fleet.ts";
import { ownFilesOf, withOwn } from "./own_files.ts";
import { stopBetween } from "./pauses.ts";

export const FLEETS: Many = {
  async parts(connection, options) {
    const parts = await partsOf(connection, options);
    return await Promise.all(parts.map(async ({ target, part }) => {
      return { target, part, files: await target.withValues(connection.files) };
    }));
  },
  /** A cluster that fails stops itself alone, and the groups after its own. */
  async run(connection, options) {
    const { parallel } = FLEET.of(connection.target)!;
    const parts = await partsOf(connection, options);
    const runPart = partRunner(parts.length, options);
    const groups = [...Map.groupBy(parts, ({ group }) => group).values()];
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
      const stop = await stopBetween(connection.target, {
        done: { name: group[0]!.group, parts: group, isChanged },
        next: { name: next[0]!.group, parts: next },
      }, options);
      isLeftOut = stop !== undefined || options.signal?.aborted === true;
      if (stop) reports.push(stop);
    }
    return reports;
  },
  async each(connection, options, work) {
    const { parallel } = FLEET.of(connection.target)!;
    const failures: Error[] = [];
    const find = async (part: FleetPart) => {
      return await prepared(part).then(work).then((found) => [found], (error) => {
        failures.push(errorOf(error));
        return [];
      });
    };
    const found = await inParallel(await partsOf(connection, options), parallel, find);
    options.signal?.throwIfAborted();
    if (failures.length > 0) throw allIn(failures, found.length);
    return found.flat();
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
  const folders = await ownFilesOf(target, names, options);
  return chosen.map(({ name, group, connection }) => {
    const onNotice: typeof environment.onNotice = (message, file) =>
      environment.onNotice(`Cluster '${name}': ${message}`, file);
    const own = searchTarget(connection, { ...environment, onNotice });
    const whole = {
      ...own,
      folder: target.folder,
      withValues: async (shared: TargetPart["files"]) =>
        await own.withValues(await withOwn(shared, folders, name, connection.name)),
    };
    const waited = options.waitMs ? waitUntilReachable(whole, options.waitMs, onNotice) : whole;
    return { target: waited, files, part: name, group };
  });
}

/** With its values. A cluster whose files cannot have them fails alone. */
async function prepared({ target, files, part }: FleetPart): Promise<TargetPart> {
  try {
    return { target, part, files: await target.withValues(files) };
  } catch (error) {
    return { target: { ...target, open: () => Promise.reject(error) }, part, files };
  }
}

/** One failure that says all, for commands that stop at the first; a cluster that is down counts least. */
function allIn(failures: readonly Error[], total: number): Error {
  const worst = failures.find((error) => !(error instanceof ConnectionError)) ?? failures[0]!;
  const lines = failures.map(({ message }) => message);
  worst.message = [...lines, `${total - lines.length} of ${total} clusters are done`].join("\n");
  return worst;
}
