import type { DocumentVersion } from "../../migrations/runner/mod.ts";
import { describeFailure, errorType } from "../../migrations/search/cluster/answer.ts";
import type { Cluster } from "../../migrations/search/cluster/cluster.ts";
import { field, isObject, listOf } from "../../migrations/search/json/json_values.ts";
import type { SearchRequest } from "../../migrations/search/types.ts";
import {
  bodyFor,
  countOf,
  deletedOf,
  type ManagedIndex,
  namesOf,
  type PolicyChanges,
  predict,
  type Predictions,
  sendIsm,
  shown,
} from "./managed.ts";

/** One of the two ways in which a policy comes to indices that exist. */
export interface Way {
  readonly action: "change_policy" | "add";
  readonly which: string;
  readonly done: string;
  readonly failed: string;
  readonly needless: RegExp;
  predict(cluster: Cluster, request: SearchRequest, changes: PolicyChanges): Promise<Predictions>;
  list(reach: Reach): Promise<readonly ManagedIndex[] | Refused>;
  /** @param updated in all rounds, while the indices are those of the last one */
  noteOf(request: SearchRequest, reached: readonly ManagedIndex[], updated: number): string;
  noteKept(reach: Reach): Promise<string>;
  headOfKept(indices: readonly unknown[], isMore: boolean): string;
  placeOf(index: ManagedIndex): string;
}

export interface Reach {
  readonly cluster: Cluster;
  readonly request: SearchRequest;
  readonly version: DocumentVersion;
  readonly confirmed?: ReadonlySet<string> | undefined;
  readonly ensureHeld: () => Promise<void>;
}

interface Refused {
  readonly refused: string;
  readonly isAsked?: boolean;
  readonly isPassing?: boolean;
}

const ROUNDS = 3;
/** Characters of names in a request line, which may have 4096 bytes. */
const MAX_NAMES = 3000;

export async function reachIndices(way: Way, reach: Reach): Promise<string | Refused> {
  let updated = 0;
  for (let round = 1;; round++) {
    const indices = await way.list(reach);
    if ("refused" in indices) return indices;
    const sent = await sendAll(way, reach, indices, (count) => updated += count);
    if (!("refused" in sent)) {
      return way.noteOf(reach.request, indices.filter(({ name }) => !sent.has(name)), updated);
    }
    if (!sent.isPassing || round === ROUNDS) return sent;
  }
}

async function sendAll(
  { action, needless, done, failed }: Way,
  { cluster, request, confirmed, ensureHeld }: Reach,
  indices: readonly ManagedIndex[],
  onUpdated: (count: number) => void,
): Promise<ReadonlySet<string> | Refused> {
  // One may have been created, or become old enough, since the user confirmed.
  const unasked = deletedOf(await predict(cluster, request, indices))
    .filter(({ index }) => !confirmed?.has(index.name));
  if (unasked.length > 0) {
    const which = `${countOf(unasked)} that this run was not asked about: ${namesOf(unasked)}`;
    return { refused: `it would or may delete ${which}`, isAsked: true };
  }
  const released = new Set<string>();
  const refused = new Map<string, string>();
  for (const names of namesInParts(indices)) {
    const path = `${action}/${names.join()}`;
    await ensureHeld();
    const answer = await sendIsm(cluster, path, bodyFor(request));
    const { status, host, json } = answer;
    const updated = field(json, "updated_indices");
    // One index that was deleted meanwhile fails the request for all, or is missing in the answer.
    if (status !== 200 || typeof updated !== "number") {
      return {
        refused: `${host} refused POST ${path}: ${describeFailure(answer)}`,
        isPassing: errorType(answer) === "index_not_found_exception",
      };
    }
    onUpdated(updated);
    const failures = listOf(field(json, "failed_indices")).filter(isObject);
    const isPassing = names.length > updated + failures.length;
    if (isPassing || (field(json, "failures") === true && failures.length === 0)) {
      return {
        refused: `${host} ${done} ${updated} of ${names.length} indices to it, ` +
          "and gives no reason for the others",
        isPassing,
      };
    }
    for (const failure of failures) {
      const [name, reason] = [String(failure.index_name), String(failure.reason)];
      if (needless.test(reason)) {
        released.add(name);
        // It was sent twice, and the first request, whose answer was lost, has done it.
        if (answer.repeated) onUpdated(1);
      } else refused.set(name, reason);
    }
  }
  if (refused.size === 0) return released;
  const reasons = [...new Set(refused.values())];
  return {
    refused: `${refused.size} of ${countOf(indices)} ${failed}: ` +
      `${shown([...refused.keys()])} (${reasons.slice(0, 3).join("; ")})`,
    isPassing: reasons.every((reason) => reason.includes("version conflict")),
  };
}

export function namesInParts(indices: readonly ManagedIndex[]): readonly (readonly string[])[] {
  let [part, characters] = [0, 0];
  const names = indices.map(({ name }) => encodeURIComponent(name));
  const parts = Map.groupBy(names, ({ length }) => {
    characters += length + 1;
    if (characters > MAX_NAMES + 1 && characters > length + 1) {
      [part, characters] = [part + 1, length + 1];
    }
    return part;
  });
  return [...parts.values()];
}
