import { printable } from "../../text/mod.ts";
import { ConnectionError, type MigrationFeature } from "../../migrations/runner/mod.ts";
import type { Cluster } from "../../migrations/search/cluster/cluster.ts";
import { masked } from "../../migrations/search/compare/masking.ts";
import { ISM } from "../../migrations/search/kinds/policies.ts";
import type { SearchMigration, SearchRequest } from "../../migrations/search/types.ts";
import { dangersOf, sessionOf, withReached } from "../policy_effects/effects.ts";
import { policyOf } from "../policy_effects/feature.ts";
import { countOf, predict } from "../policy_effects/managed.ts";
import { linesOf, type Predictions } from "../policy_effects/prediction_notes.ts";
import { indexRequests, type Reach, type Reached, sendAll } from "../policy_effects/reach.ts";
import { unmanagedFor } from "./unmanaged_indices.ts";

/** The policies that a session is to write: an index is left to the one whose template wins. */
const PENDING = new WeakMap<Cluster, readonly SearchMigration[]>();
const WHICH = "without a policy that it matches";

/** Attaches policies to the indices without one that their templates match. */
export const feature: MigrationFeature = {
  name: "policy_attach",
  async dangers(files) {
    const policies = (await Array.fromAsync(files.migrations, policyOf))
      .filter((policy) => policy !== undefined);
    if (policies.length === 0) return [];
    const { cluster, changes } = sessionOf(files);
    PENDING.set(cluster, policies);
    return changes === "keep" ? [] : await dangersOf(files, policies, WHICH, predictionsOf);
  },
  async preview(step, next) {
    const [policy, preview] = [await policyOf(step.migration), await next()];
    if (!policy) return preview;
    const { cluster, changes } = sessionOf(step);
    const found = await predictionsOf(cluster, policy.request);
    const { requests, consequences = [] } = preview;
    const more = "unknown" in found
      ? [printable(`the indices ${WHICH} are unknown: ${found.unknown}`)]
      : linesOf(found.indices, () => "without a policy");
    const indices = "unknown" in found ? [] : found.indices.map(({ index }) => index);
    const isKept = changes === "keep" && indices.length > 0;
    const kept = "with 'migrations.policy_changes: apply' it would reach:";
    const sent = changes === "keep" ? [] : indexRequests("add", policy.request, indices);
    return masked({
      ...preview,
      requests: [...requests, ...sent.map(({ path, body }) => `POST ${ISM}/${path}\n${body}`)],
      consequences: [
        ...consequences,
        ...isKept ? [`${countOf(indices)} ${WHICH}; ${kept}`] : [],
        ...more,
      ],
    }, (text) => cluster.redact(text));
  },
  async apply(step, next) {
    const [policy, written] = [await policyOf(step.migration), await next()];
    if (!policy || written.version === undefined || sessionOf(step).changes === "keep") {
      return written;
    }
    return await withReached(step, policy, written, attach, WHICH);
  },
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
