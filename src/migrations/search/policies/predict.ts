import type { Cluster } from "../cluster/cluster.ts";
import { field, isObject, type Json, listOf, valueOf } from "../json/json_values.ts";
import type { SearchRequest } from "../types.ts";
import { type ManagedIndex, shown } from "./managed.ts";
import { dependsOnSize, type PredictedEffect, predictEffect } from "./predicted_effect.ts";

export interface IndexPrediction {
  readonly index: ManagedIndex;
  readonly ageMs?: number;
  readonly effect: PredictedEffect;
}

/** Predicts the effect of the policy of a request on indices; sends one request where sizes or ages are needed. */
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
    const age = createdAt === undefined ? {} : { ageMs: now - createdAt };
    const facts = {
      ...index,
      ...age,
      ...(documents !== undefined && { documents }),
      ...(bytes !== undefined && { bytes }),
    };
    return { index, ...age, effect: predictEffect(policy, facts) };
  });
}

/** By files, the indices whose deletion the user of a run confirmed. */
export type Confirmed = Map<string, ReadonlySet<string>>;

export function deletedOf(predictions: readonly IndexPrediction[]): readonly IndexPrediction[] {
  return byCertainty(predictions.filter(({ effect }) => effect.deletion !== "no"));
}

export function byCertainty(predictions: readonly IndexPrediction[]): readonly IndexPrediction[] {
  const rank = { yes: 0, may: 1, no: 2 };
  return predictions.toSorted((a, b) => rank[a.effect.deletion] - rank[b.effect.deletion]);
}

/** The names of indices, and the states that they go through: `'a-1', 'a-2' (hot → old)`. */
export function namesOf(predictions: readonly IndexPrediction[]): string {
  const ways = new Set(predictions.map(({ effect: { path } }) => path.join(" → ")));
  const names = shown(predictions.map(({ index }) => index.name));
  return `${names} (${[...ways].slice(0, 3).join(", ")})`;
}

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
