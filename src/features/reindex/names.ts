import type { Cluster } from "../../migrations/search/cluster/cluster.ts";
import { field, listOf } from "../../migrations/search/json/json_values.ts";
import { indexNameProblem } from "../../migrations/search/kinds/names.ts";
import { expectAnswer } from "./expect.ts";

/** The name of an index behind the alias `name`: `orders-1a2b3c4d-2`. */
export function versionName(name: string, hash: string, number: number): string {
  return `${name}-${hash.slice(0, 8)}-${number}`;
}

export function isVersionOf(name: string, index: string): boolean {
  return index.startsWith(`${name}-`) && /^[0-9a-f]{8}-\d+$/.test(index.slice(name.length + 1));
}

/** What keeps the data of an index whose name becomes an alias: `orders-before-1`. */
export function backupName(name: string, number: number): string {
  return `${name}-before-${number}`;
}

export function versionNameProblem(name: string): string | undefined {
  return indexNameProblem(versionName(name, "00000000", 1_000_000));
}

/** The names of all indices that start with `name-`, closed and hidden ones too. */
export async function namesBelow(cluster: Cluster, name: string): Promise<readonly string[]> {
  const path = `/_cat/indices/${
    encodeURIComponent(name)
  }-*?h=index&format=json&expand_wildcards=all`;
  const answer = await expectAnswer(cluster, { method: "GET", path });
  return listOf(answer.json).map((row) => String(field(row, "index")));
}

/** The number after the highest that a version of the index has: numbers are not used again, whatever their hash. */
export function nextVersion(name: string, taken: readonly string[]): number {
  return 1 + numbersOf(taken.filter((index) => isVersionOf(name, index)));
}

export function nextBackup(name: string, taken: readonly string[]): number {
  const isBackup = (index: string) => /^-before-\d+$/.test(index.slice(name.length));
  return 1 + numbersOf(taken.filter((index) => index.startsWith(name) && isBackup(index)));
}

function numbersOf(names: readonly string[]): number {
  return Math.max(0, ...names.map((index) => Number(/\d+$/.exec(index)?.[0])));
}
