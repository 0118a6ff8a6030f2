import { ConnectionError } from "../../migrations/runner/mod.ts";
import { decodeLeniently, defined, quoted } from "../../text/mod.ts";
import { type Answer, describeFailure } from "../../migrations/search/cluster/answer.ts";
import type { Cluster } from "../../migrations/search/cluster/cluster.ts";
import { bodyOf } from "../../migrations/search/json/json.ts";
import {
  field,
  isObject,
  type Json,
  listOf,
  numberOf,
  stringOf,
} from "../../migrations/search/json/json_values.ts";
import { ISM, POLICIES } from "../../migrations/search/kinds/policies.ts";
import { isUpsert, resourceOf } from "../../migrations/search/kinds/resource.ts";
import type { SearchMigration, SearchRequest } from "../../migrations/search/types.ts";
import {
  dependsOnSize,
  type IndexFacts,
  type PredictedEffect,
  predictEffect,
} from "./predicted_effect.ts";

export interface ManagedIndex extends Omit<IndexFacts, "ageMs" | "documents" | "bytes"> {
  readonly name: string;
  /** In milliseconds since 1970; absent until its job has run once. */
  readonly createdAt?: number;
  /** Whether its job has stopped: it failed, or there is nothing left to do. */
  readonly isStopped: boolean;
}

interface Unknown {
  readonly unknown: string;
  /** Whether the cluster does not let them be read, or does not answer, rather than refuses the policy. */
  readonly isUnreadable?: boolean;
}

export type Managed =
  | { readonly indices: readonly ManagedIndex[]; readonly total: number }
  | Unknown;

export function asUnknown(error: unknown): Unknown {
  if (!(error instanceof ConnectionError)) throw error;
  return { unknown: error.message, isUnreadable: true };
}

export type PolicyChanges = "keep" | "apply";

/** How many indices of one policy are read, which is the limit of paging in a search. */
const MAX_INDICES = 10_000;
const PAGE = 1000;

export function policyIdOf({ path }: Pick<SearchRequest, "path">): string {
  return decodeLeniently(POLICIES.pattern.exec(path)?.[1] ?? "");
}

export function bodyFor(request: SearchRequest): string {
  return JSON.stringify({ policy_id: policyIdOf(request) });
}

export async function managedBy(cluster: Cluster, policyId: string): Promise<Managed> {
  const indices: ManagedIndex[] = [];
  const body = JSON.stringify({ filter: { policy_id: policyId } });
  for (let from = 0;; from += PAGE) {
    const answer = await sendIsm(cluster, `explain?size=${PAGE}&from=${from}`, body);
    const total = field(answer.json, "total_managed_indices");
    if (answer.status !== 200 || !isObject(answer.json) || typeof total !== "number") {
      const right = answer.status === 403
        ? "; the user needs the right 'cluster:admin/opendistro/ism/managedindex/explain'"
        : "";
      return { unknown: describeFailure(answer) + right, isUnreadable: answer.status === 403 };
    }
    const rows = Object.entries(answer.json).filter(([, found]) => isObject(found));
    for (const [name, found] of rows as [string, Json][]) {
      // A cluster may ignore the filter; indices of other policies must not be changed.
      if (found.policy_id === policyId) indices.push(managedIndex(name, found));
    }
    // Indices that this user may not see are missing from the page and from its total.
    const isLast = total - rows.length <= from;
    if (isLast) return { indices, total: indices.length };
    if (from + PAGE >= MAX_INDICES) return { indices, total: Math.max(total, indices.length + 1) };
  }
}

export function sendIsm(cluster: Cluster, path: string, body: string): Promise<Answer> {
  const request = { method: "POST", path: `${ISM}/${path}`, body };
  return cluster.sendToPlugin(request, { repeatSafe: true, mayBeForbidden: true });
}

function managedIndex(name: string, found: Json): ManagedIndex {
  const createdAt = numberOf(found.index_creation_date) ?? -1;
  return defined<ManagedIndex>({
    name,
    seqNo: numberOf(found.policy_seq_no),
    state: stringOf(field(found.state, "name")),
    next: stringOf(found.transition_to),
    action: stringOf(field(found.action, "name")),
    createdAt: createdAt < 0 ? undefined : createdAt,
    isStopped: field(found.retry_info, "failed") === true ||
      field(found.action, "failed") === true || found.policy_completed === true,
  });
}

const SHOWN = 5;

/** `'a', 'b' and 3 more`. */
export function shown(names: readonly string[]): string {
  const more = names.length - SHOWN;
  return more > 0 ? `${quoted(names.slice(0, SHOWN))} and ${more} more` : quoted(names);
}

export function countOf({ length }: { readonly length: number }): string {
  return length === 1 ? "1 index" : `${length} indices`;
}

export interface IndexPrediction {
  readonly index: ManagedIndex;
  readonly ageMs?: number;
  readonly effect: PredictedEffect;
}

export interface Predicted {
  readonly indices: readonly IndexPrediction[];
  readonly isMore?: boolean;
}

export type Predictions = Predicted | Unknown;

/** Predicts the effect of the policy of a request on indices; sends one request where sizes or ages are needed. */
export async function predict(
  cluster: Cluster,
  request: SearchRequest,
  indices: readonly ManagedIndex[],
): Promise<readonly IndexPrediction[]> {
  const policy = field(bodyOf(request), "policy");
  const needsTable = dependsOnSize(policy) ||
    indices.some(({ createdAt }) => createdAt === undefined);
  const table = indices.length > 0 && needsTable ? await tableOf(cluster) : new Map<string, Json>();
  const now = Date.now();
  return indices.map((index) => {
    const row = table.get(index.name) ?? {};
    const createdAt = index.createdAt ?? count(row["creation.date"]);
    const ageMs = createdAt === undefined ? undefined : now - createdAt;
    const [documents, bytes] = [count(row["docs.count"]), count(row["pri.store.size"])];
    const facts = { ...index, ...defined<IndexFacts>({ ageMs, documents, bytes }) };
    return defined<IndexPrediction>({ index, ageMs, effect: predictEffect(policy, facts) });
  });
}

export type ConfirmedDeletions = Map<string, ReadonlySet<string>>;

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

export function isPolicy({ request }: SearchMigration): boolean {
  const resource = resourceOf(request);
  return resource?.kind === POLICIES && isUpsert(request, resource);
}
