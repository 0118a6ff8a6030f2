import { printable } from "../../text/mod.ts";
import { ConnectionError } from "../../migrations/runner/mod.ts";
import type { Cluster } from "../../migrations/search/cluster/cluster.ts";
import { masked } from "../../migrations/search/compare/masking.ts";
import { ISM } from "../../migrations/search/kinds/policies.ts";
import { searchSessionOf } from "../../migrations/search/offers.ts";
import type { SearchMigration, SearchRequest } from "../../migrations/search/types.ts";
import * as effects from "../policy_effects/effects.ts";
import { countOf, predict } from "../policy_effects/managed.ts";
import { linesOf, type Predictions } from "../policy_effects/prediction_notes.ts";
import { indexRequests, type Reach, type Reached, sendAll } from "../policy_effects/reach.ts";
import { unmanagedFor } from "./unmanaged_indices.ts";

/** The policies that a session is to write: an index is left to the one whose template wins. */
const PENDING = new WeakMap<Cluster, readonly SearchMigration[]>();
const WHICH = "without a policy that it matches";

export const dangersOf: typeof effects.dangersOf = async (files, policies, changes) => {
  PENDING.set(searchSessionOf(files).cluster, policies);
  return await effects.dangersOf(files, policies, changes, WHICH, predictionsOf);
};

export const previewOf: typeof effects.previewOf = async (step, { request }, shown, changes) => {
  const { cluster } = searchSessionOf(step);
  const { requests, consequences = [], ...preview } = shown;
  const found = await predictionsOf(cluster, request);
  const lines = "unknown" in found
    ? [printable(`the indices ${WHICH} are unknown: ${found.unknown}`)]
    : linesOf(found.indices, () => "without a policy");
  const indices = "unknown" in found ? [] : found.indices.map(({ index }) => index);
  const kept = "with 'migrations.policy_changes: apply' it would reach:";
  const isKept = changes !== "apply" && indices.length > 0;
  const sent = isKept ? [] : indexRequests("add", request, indices);
  const all = {
    ...preview,
    requests: [...requests, ...sent.map(({ path, body }) => `POST ${ISM}/${path}\n${body}`)],
    consequences: [
      ...consequences,
      ...isKept ? [`${countOf(indices)} ${WHICH}; ${kept}`] : [],
      ...lines,
    ],
  };
  return masked(all, (text) => cluster.redact(text));
};

export const reachedBy: typeof effects.reachedBy = async (step, policy, written, changes) => {
  if (changes !== "apply") return written;
  return await effects.reachedBy(step, policy, written, changes, attach, WHICH);
};

async function attach(reach: Reach): Promise<Reached> {
  for (let isFirst = true;; isFirst = false) {
    const indices = await unmanagedFor(reach.cluster, reach.request, PENDING.get(reach.cluster));
    if (indices.length === 0) return {};
    const sent = await sendAll(reach, "add", indices);
    if (sent.released) {
      const attached = indices.filter(({ name }) => !sent.released.has(name));
      return { note: attached.length === 0 ? "" : `attached to ${countOf(attached)}` };
    }
    // One that was deleted meanwhile is missing in the answer: the others are listed again.
    if (sent.isAsked || !isFirst) return sent;
  }
}

async function predictionsOf(cluster: Cluster, request: SearchRequest): Promise<Predictions> {
  try {
    const indices = await unmanagedFor(cluster, request, PENDING.get(cluster));
    return { indices: await predict(cluster, request, indices) };
  } catch (error) {
    if (!(error instanceof ConnectionError)) throw error;
    return { unknown: error.message, isForbidden: true };
  }
}
