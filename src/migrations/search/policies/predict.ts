import type { Cluster } from "../cluster/cluster.ts";
import { field, isObject, type Json, listOf, valueOf } from "../json/json_values.ts";
import type { SearchRequest } from "../types.ts";
import type { ManagedIndex } from "./managed.ts";
import { dependsOnSize, type PredictedEffect, predictEffect } from "./predicted_effect.ts";
import { shown } from "./words.ts";

/** An index that a policy manages, and what the policy of the file would do to it at once. */
export interface IndexPrediction {
  readonly index: ManagedIndex;
  readonly ageMs?: number;
  readonly outlook: PredictedEffect;
}

/** What the policy of a request does to indices as soon as they turn to it. One request, where sizes matter. */
export async function predict(
  cluster: Cluster,
  request: SearchRequest,
  indices: readonly ManagedIndex[],
): Promise<readonly IndexPrediction[]> {
  const policy = field(valueOf(request.body), "policy");
  const needsTable = dependsOnSize(policy) ||
    indices.some(({ createdAt }) => createdAt === undefined);
  const table = indices.length > 0 && needsTable ? await tableOf(cluster) : new Map<string, Json>();
  const now = Date.now();
  return indices.map((index) => {
    const row = table.get(index.name) ?? {};
    const createdAt = index.createdAt ?? count(row["creation.date"]);
    const [documents, bytes] = [count(row["docs.count"]), count(row["pri.store.size"])];
    const facts = {
      ...index,
      ...(createdAt !== undefined && { ageMs: now - createdAt }),
      ...(documents !== undefined && { documents }),
      ...(bytes !== undefined && { bytes }),
    };
    return {
      index,
      ...(createdAt !== undefined && { ageMs: now - createdAt }),
      outlook: predictEffect(policy, facts),
    };
  });
}

/** By files, the indices whose deletion a run was asked about. */
export type Agreed = Map<string, ReadonlySet<string>>;

/** Those that it deletes, or may: certain deletions first. */
export function deletedOf(prospects: readonly IndexPrediction[]): readonly IndexPrediction[] {
  return byCertainty(prospects.filter(({ outlook }) => outlook.deletion !== "no"));
}

/** Certain deletions first, then possible ones. */
export function byCertainty(prospects: readonly IndexPrediction[]): readonly IndexPrediction[] {
  const rank = { yes: 0, may: 1, no: 2 };
  return prospects.toSorted((a, b) => rank[a.outlook.deletion] - rank[b.outlook.deletion]);
}

/** Their names, and the states that they go through: `'a-1', 'a-2' (hot → gone)`. */
export function namesOf(prospects: readonly IndexPrediction[]): string {
  const ways = new Set(prospects.map(({ outlook: { path } }) => path.join(" → ")));
  const names = shown(prospects.map(({ index }) => index.name));
  return `${names} (${[...ways].slice(0, 3).join(", ")})`;
}

/** What the cluster says of the size and age of every index, by name; nothing where it does not say. */
async function tableOf(cluster: Cluster): Promise<ReadonlyMap<string, Json>> {
  const columns = "index,docs.count,pri.store.size,creation.date";
  const path = `/_cat/indices?format=json&bytes=b&expand_wildcards=all&h=${columns}`;
  const answer = await cluster.ask({ method: "GET", path });
  return new Map(
    listOf(answer.json).filter(isObject).map((row) => [String(row.index), row]),
  );
}

function count(text: unknown): number | undefined {
  return typeof text === "string" && /^\d+$/.test(text) ? Number(text) : undefined;
}
