import type { Config } from "../../config/mod.ts";
import { readConfigFile } from "../../config/load.ts";
import { checkKeys, type ManyOptions, type Target } from "../../migrations/runner/mod.ts";
import { type SearchConnection, searchKeys } from "../../migrations/search/mod.ts";
import { SEARCH } from "../../migrations/search/offers.ts";
import { resolve } from "../../runtime/path.ts";
import { quoted } from "../../text/mod.ts";
import { unknownPart } from "../parts/each.ts";
import { clusterSettings } from "./cluster_settings.ts";
import { CLUSTERS, FLEET } from "./fleet.ts";

export interface Cluster {
  readonly name: string;
  readonly group: string | undefined;
  readonly connection: SearchConnection;
}

/** All names of a fleet, and the clusters that are asked for, in the order of their groups. */
export interface Clusters {
  readonly names: readonly string[];
  readonly chosen: readonly Cluster[];
}

/** @throws {ConfigError} */
export async function clustersOf(
  target: Target,
  { only, runtime }: Pick<ManyOptions, "only" | "runtime">,
): Promise<Clusters> {
  const { section, groups, at } = FLEET.of(target)!;
  const { environment: { features } } = SEARCH.of(target)!;
  const { connection: recordedAs } = target;
  const map = await mapOf(section, runtime);
  const names = map.keys();
  if (names.length === 0) throw section.error(CLUSTERS, "Expected at least one cluster");
  const odd = names.find((name) => !/^[\w-]+$/.test(name));
  if (odd !== undefined) {
    throw map.error(odd, "Expected the name of a cluster with letters, digits, '_' and '-'");
  }
  const keys = [
    ...searchKeys(features).filter((key) => key !== "name" && !key.startsWith("migrations.")),
    ...["placeholders", "group"],
  ];
  const chosen = [...new Set(only ?? names)].map((name): Cluster => {
    if (!names.includes(name)) {
      throw unknownPart(
        `cluster '${name}' of '${recordedAs}'`,
        name,
        names,
        `found ${quoted(names)}`,
      );
    }
    checkKeys(map, name, keys);
    const own = map.section(name);
    if (!own) throw map.error(name, "Expected the settings of a cluster, found none");
    const connection = at(clusterSettings(own, section));
    const group = own.string("group");
    if (group !== undefined && !groups.includes(group)) {
      const found = quoted(groups, "none");
      const message = `There is no group '${group}' under 'migrations.each.groups': found ${found}`;
      throw own.error("group", message);
    }
    // A cluster can leave the fleet, or come into it, with its history.
    const labelled = { ...connection, name: `${recordedAs}[${name}]`, recordedAs };
    return { name, group, connection: labelled };
  });
  refuseTwins(chosen, map);
  const orderOf = ({ group = "" }: Cluster) => groups.indexOf(group) >>> 0;
  return { names, chosen: chosen.toSorted((a, b) => orderOf(a) - orderOf(b)) };
}

/** The map of clusters, in the configuration or in a file of its own. */
async function mapOf(section: Config, runtime: ManyOptions["runtime"]): Promise<Config> {
  const value = section.get(CLUSTERS);
  if (typeof value !== "string" || value === "") return section.required(CLUSTERS, "section");
  return await readConfigFile(runtime, resolve(section.root, value));
}

/** Two entries for one cluster would wait for each other's lock and share records. */
function refuseTwins(clusters: readonly Cluster[], map: Config): void {
  const owners = new Map<string, string>();
  for (const { name, connection: { hosts } } of clusters) {
    for (const host of hosts) {
      const twin = owners.get(host) ?? name;
      owners.set(host, twin);
      if (twin === name) continue;
      const message = `Expected a host of one cluster, found '${host}' in '${twin}' and '${name}'`;
      throw map.error(`${name}.hosts`, message);
    }
  }
}
