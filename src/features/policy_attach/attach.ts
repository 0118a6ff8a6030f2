import type { Cluster } from "../../migrations/search/cluster/cluster.ts";
import { INDICES } from "../../migrations/search/kinds/indices.ts";
import { DATA_STREAMS } from "../../migrations/search/kinds/named.ts";
import { resourceOf } from "../../migrations/search/kinds/resource.ts";
import type { SearchRequest } from "../../migrations/search/types.ts";
import { PENDING } from "../policy_effects/effects.ts";
import { asUnknown, countOf, deletedOf, predict, shown } from "../policy_effects/managed.ts";
import type { Way } from "../policy_effects/reach.ts";
import { unmanagedFor } from "./unmanaged_indices.ts";

const WHICH = "without a policy that it matches";

/** By policy: the series that a run found before its first file, and the indices that it leaves alone. */
const NAMED = new WeakMap<SearchRequest, ReadonlySet<string>>();
const LEFT = new WeakMap<SearchRequest, readonly string[]>();

function find(cluster: Cluster, request: SearchRequest) {
  return unmanagedFor(cluster, request, PENDING.get(cluster)).catch(asUnknown);
}

/** A data stream, the indices of a rollover, or an index alone: the run itself may roll over. */
function seriesOf(name: string): string {
  return name.replace(/-\d{6}$/, "");
}

/** The indices and data streams that files of the run make. */
function madeBy(cluster: Cluster): readonly string[] {
  return (PENDING.get(cluster) ?? []).flatMap(({ request }) => {
    const { kind, name } = resourceOf(request) ?? {};
    return name !== undefined && (kind === INDICES || kind === DATA_STREAMS) ? name : [];
  });
}

export const way: Way = {
  action: "add",
  which: WHICH,
  done: "attached",
  failed: "are not attached to it",
  // It got a policy, or is one that the plugin never manages.
  needless: /already has a policy|restricted index pattern/,
  async predict(cluster, request) {
    const found = await find(cluster, request);
    if ("unknown" in found) return found;
    const names = [...found.map(({ matchedName }) => matchedName), ...madeBy(cluster)];
    NAMED.set(request, new Set(names.map(seriesOf)));
    return { indices: await predict(cluster, request, found) };
  },
  async list({ cluster, request }) {
    const found = await find(cluster, request);
    if ("unknown" in found) {
      return { refused: `the indices ${WHICH} cannot be listed: ${found.unknown}` };
    }
    const named = NAMED.get(request) ?? new Set();
    const isNamed = ({ matchedName }: typeof found[number]) => named.has(seriesOf(matchedName));
    const left = found.filter((one) => !isNamed(one));
    LEFT.set(request, left.map(({ name }) => name));
    // The next run asks about those that it may delete.
    return deletedOf(await predict(cluster, request, left)).length > 0
      ? found
      : found.filter(isNamed);
  },
  noteOf(request, _reached, updated) {
    const left = LEFT.get(request) ?? [];
    return [
      updated > 0 ? `attached to ${countOf({ length: updated })}` : [],
      left.length > 0 ? `not attached to ${shown(left)}, which the preview did not name` : [],
    ].flat().join("; ");
  },
  noteKept: () => Promise.resolve(""),
  headOfKept: (indices) =>
    `${countOf(indices)} ${WHICH}; with 'migrations.policy_changes: apply' it would reach:`,
  placeOf: () => "without a policy",
};
