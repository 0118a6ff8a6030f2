import type { DocumentVersion } from "../../migrations/runner/mod.ts";
import { hasNoHandler } from "../../migrations/search/cluster/answer.ts";
import { isSame } from "../../migrations/search/json/compare.ts";
import { bodyOf } from "../../migrations/search/json/json.ts";
import { field, listOf, numberOf } from "../../migrations/search/json/json_values.ts";
import { resourceOf } from "../../migrations/search/kinds/resource.ts";
import type { SearchRequest } from "../../migrations/search/types.ts";
import {
  asUnknown,
  countOf,
  type Managed,
  managedBy,
  type ManagedIndex,
  policyIdOf,
  predict,
  shown,
} from "./managed.ts";
import type { Reach, Way } from "./reach.ts";

/** By itself a cluster uses a policy that was just written only for new indices. */
export const way: Way = {
  action: "change_policy",
  which: "that it manages",
  done: "changed",
  failed: "did not change to it",
  needless: /not being managed/,
  async predict(cluster, request, changes) {
    const look = { method: "GET", path: request.path };
    const answer = await cluster.sendToPlugin(look, { repeatSafe: true, mayBeForbidden: true });
    const isMissing = answer.status === 404;
    const seqNo = isMissing ? undefined : numberOf(field(answer.json, "_seq_no"));
    const resource = resourceOf(request);
    const isUnchanged = seqNo !== undefined &&
      (resource?.read(answer.json) ?? []).every((state) => isSame(resource?.wanted, state));
    // Indices stay under a deleted policy. Those of an unchanged one change only if a run was cut off before it reached them.
    const isKept = changes === "keep" && (isMissing || isUnchanged);
    if (hasNoHandler(answer) || isKept) return { indices: [] };
    const managed = await managedBy(cluster, policyIdOf(request));
    if ("unknown" in managed) return managed;
    const isMore = managed.total > managed.indices.length;
    if (isMore && changes === "apply") return { unknown: tooMany(managed) };
    const indices = isUnchanged ? ofOtherVersions({ seqNo }, managed.indices) : managed.indices;
    return { indices: await predict(cluster, request, indices), isMore };
  },
  async list({ cluster, request, version }) {
    const managed = await managedBy(cluster, policyIdOf(request));
    if ("unknown" in managed) {
      return { refused: `its indices cannot be listed: ${managed.unknown}` };
    }
    if (managed.total > managed.indices.length) return { refused: tooMany(managed) };
    return ofOtherVersions(version, managed.indices);
  },
  noteOf,
  noteKept,
  headOfKept: (...some) =>
    `${keeping(...some)}; with 'migrations.policy_changes: apply' the policy would reach:`,
  placeOf,
};

/** How many indices keep an older version. A failure to count them does not fail the file: the policy is written. */
async function noteKept({ cluster, request, version }: Reach): Promise<string> {
  const managed = await managedBy(cluster, policyIdOf(request)).catch(asUnknown);
  if ("unknown" in managed) {
    return `indices that it manages keep their version (their number is unknown: ${managed.unknown})`;
  }
  const old = ofOtherVersions(version, managed.indices);
  if (old.length === 0) return "";
  return keeping(old, managed.total > managed.indices.length) +
    " ('migrations.policy_changes: apply' would change that)";
}

function keeping(indices: readonly unknown[], isMore: boolean): string {
  return `${isMore ? "more than " : ""}${countOf(indices)} that it manages ` +
    `keep${indices.length === 1 ? "s" : ""} the previous version`;
}

function tooMany({ indices, total }: Exclude<Managed, { unknown: string }>): string {
  return `it manages ${total} indices, of which only ${indices.length} can be listed: ` +
    "set 'migrations.policy_changes: keep', and send 'POST /_plugins/_ism/change_policy' for patterns of them";
}

/** The indices with another version; a job that has not run yet has the version of the creation of its index. */
function ofOtherVersions(
  { seqNo }: Pick<DocumentVersion, "seqNo">,
  indices: readonly ManagedIndex[],
): readonly ManagedIndex[] {
  return indices.filter((index) => index.seqNo !== seqNo);
}

function noteOf({ body }: SearchRequest, turned: readonly ManagedIndex[]): string {
  if (turned.length === 0) return "";
  const all = listOf(field(bodyOf({ body }), "policy", "states"));
  const states = new Set(all.map((state) => field(state, "name")));
  const lost = turned.filter(({ state, next = state }) => next !== undefined && !states.has(next));
  const stopped = turned.filter(({ isStopped }) => isStopped);
  const names = (indices: readonly ManagedIndex[]) => shown(indices.map(({ name }) => name));
  return [
    turned.length === 1
      ? "1 index changes to it at the next run of its job"
      : `${countOf(turned)} change to it at the next run of their jobs`,
    lost.length > 0 && `the policy lacks the state of ${names(lost)}: ` +
      "such a job fails, which 'GET /_plugins/_ism/explain' shows minutes later",
    stopped.length > 0 && `the job of ${names(stopped)} has stopped, ` +
      "and may need 'POST /_plugins/_ism/retry'",
  ].filter((note) => note !== false).join("; ");
}

function placeOf({ state, next, seqNo }: ManagedIndex): string {
  if (next !== undefined) return `on its way to state '${next}'`;
  if (state !== undefined) return `in state '${state}'`;
  return seqNo === undefined ? "its job has not run yet" : "in an unknown state";
}
