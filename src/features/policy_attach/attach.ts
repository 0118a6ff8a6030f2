import { PENDING } from "../policy_effects/effects.ts";
import { asUnknown, countOf, predict } from "../policy_effects/managed.ts";
import type { Way } from "../policy_effects/reach.ts";
import { unmanagedFor } from "./unmanaged_indices.ts";

const WHICH = "without a policy that it matches";

export const way: Way = {
  action: "add",
  which: WHICH,
  done: "attached",
  failed: "are not attached to it",
  // It got a policy, or is one that the plugin never manages.
  needless: /already has a policy|restricted index pattern/,
  async predict(cluster, request) {
    const found = await unmanagedFor(cluster, request, PENDING.get(cluster)).catch(asUnknown);
    return "unknown" in found ? found : { indices: await predict(cluster, request, found) };
  },
  async list({ cluster, request }) {
    const found = await unmanagedFor(cluster, request, PENDING.get(cluster)).catch(asUnknown);
    if (!("unknown" in found)) return found;
    return { refused: `the indices ${WHICH} cannot be listed: ${found.unknown}` };
  },
  noteOf: (_request, _reached, updated) => {
    return updated === 0 ? "" : `attached to ${countOf({ length: updated })}`;
  },
  noteKept: () => Promise.resolve(""),
  headOfKept: (indices) =>
    `${countOf(indices)} ${WHICH}; with 'migrations.policy_changes: apply' it would reach:`,
  placeOf: () => "without a policy",
};
