import { type Answer, describeFailure } from "../cluster/answer.ts";
import type { Cluster } from "../cluster/cluster.ts";
import { field, isObject, type Json } from "../json/json_values.ts";
import { POLICIES } from "../kinds/policies.ts";
import { isUpsert, resourceOf } from "../kinds/resource.ts";
import type { SearchRequest } from "../types.ts";
import { decoded } from "../cluster/request.ts";

/** An index under a policy, as the plugin explains it. */
export interface ManagedIndex {
  readonly name: string;
  /** `_seq_no` of the version of the policy that it has a copy of; absent until its job has run once. */
  readonly seqNo?: number;
  /** Absent until its job has run once, and where it was sent to a state by hand. */
  readonly state?: string;
  /** The state that it enters when its job runs next. */
  readonly next?: string;
  /** What its job does: `rollover`, `transition`; absent before the first action. */
  readonly action?: string;
  /** When the index was made, in milliseconds; absent until its job has run once. */
  readonly createdAt?: number;
  /** Whether its job has stopped: it failed, or there is nothing left to do. */
  readonly isStopped: boolean;
}

/** The indices of a policy, or why they are not known. */
export type Managed =
  | {
    readonly indices: readonly ManagedIndex[];
    /** How many there are in all: more than were listed, where those are {@linkcode MAX_INDICES}. */
    readonly total: number;
  }
  | {
    /** As one line. */
    readonly unknown: string;
    /** Whether the user may not ask. */
    readonly isForbidden?: boolean;
  };

/** How many indices of one policy are looked at: no page of a search goes further. */
export const MAX_INDICES = 10_000;
const PAGE = 1000;

/** Whether it is a policy file, or an envelope that puts nothing but a policy. */
export function isPolicy(request: SearchRequest): boolean {
  const resource = resourceOf(request);
  return resource?.kind === POLICIES && isUpsert(request, resource);
}

/** The id of the policy that a request puts. */
export function policyIdOf({ path }: Pick<SearchRequest, "path">): string {
  return decoded(POLICIES.pattern.exec(path)?.[1] ?? "");
}

/** The indices that a policy manages, by name. One request for a thousand of them. */
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
      return { unknown: describeFailure(answer) + right, isForbidden: answer.status === 403 };
    }
    const rows = Object.entries(answer.json).filter(([, found]) => isObject(found));
    for (const [name, found] of rows as [string, Json][]) {
      // Whatever a cluster makes of the filter: another policy's are not touched.
      if (found.policy_id === policyId) indices.push(managedIndex(name, found));
    }
    // Indices that this user may not see are taken out of a page, and out of the total that comes with it.
    const isLast = total - rows.length <= from;
    if (isLast) return { indices, total: indices.length };
    if (from + PAGE >= MAX_INDICES) return { indices, total: Math.max(total, indices.length + 1) };
  }
}

/** Sends a POST of the plugin that does no harm when it is repeated. */
export function sendIsm(cluster: Cluster, path: string, body: string): Promise<Answer> {
  const request = { method: "POST", path: `/_plugins/_ism/${path}`, body };
  return cluster.sendToPlugin(request, { repeatSafe: true, mayBeForbidden: true });
}

function managedIndex(name: string, found: Json): ManagedIndex {
  const seqNo = found.policy_seq_no;
  const createdAt = found.index_creation_date;
  const state = field(found.state, "name");
  const action = field(found.action, "name");
  const next = found.transition_to;
  return {
    name,
    ...(typeof seqNo === "number" && { seqNo }),
    ...(typeof state === "string" && { state }),
    ...(typeof next === "string" && { next }),
    ...(typeof action === "string" && { action }),
    ...(typeof createdAt === "number" && createdAt >= 0 && { createdAt }),
    isStopped: field(found.retry_info, "failed") === true ||
      field(found.action, "failed") === true || found.policy_completed === true,
  };
}
