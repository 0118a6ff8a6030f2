import type { Cluster } from "../../migrations/search/cluster/cluster.ts";
import { field, listOf } from "../../migrations/search/json/json_values.ts";
import { indexNameProblem } from "../../migrations/search/kinds/named.ts";
import { expectAnswer } from "../live_indices/expect.ts";
import { VERSION, versionName } from "../live_indices/live_index.ts";

export function versionNameProblem(name: string): string | undefined {
  return indexNameProblem(versionName(name, "00000000", 1_000_000));
}

/** The names of all indices that start with `name-`, closed and hidden ones too. */
async function namesBelow(cluster: Cluster, name: string): Promise<readonly string[]> {
  const path = `/_cat/indices/${
    encodeURIComponent(name)
  }-*?h=index&format=json&expand_wildcards=all`;
  const answer = await expectAnswer(cluster, { method: "GET", path });
  return listOf(answer.json).map((row) => String(field(row, "index")));
}

/** The number after the highest that a version of the index has: numbers are not used again, whatever their hash. */
export async function nextVersion(cluster: Cluster, name: string): Promise<number> {
  return nextNumber(await namesBelow(cluster, name), name, VERSION);
}

/** Names the index that keeps the data of one whose name becomes an alias: `orders-before-1`. */
export async function nextBackup(
  cluster: Cluster,
  name: string,
  planned: readonly string[],
): Promise<string> {
  const taken = [...await namesBelow(cluster, name), ...planned];
  return `${name}-before-${nextNumber(taken, name, /^-before-(\d+)$/)}`;
}

function nextNumber(taken: readonly string[], name: string, ending: RegExp): number {
  const numbers = taken.filter((index) => index.startsWith(name))
    .map((index) => Number(ending.exec(index.slice(name.length))?.[1] ?? 0));
  return 1 + Math.max(0, ...numbers);
}
