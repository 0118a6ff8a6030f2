import type { DocumentVersion } from "../../migrations/runner/mod.ts";
import { describeFailure, errorType } from "../../migrations/search/cluster/answer.ts";
import { type Cluster, TransportError } from "../../migrations/search/cluster/cluster.ts";
import { bodyOf } from "../../migrations/search/json/json.ts";
import { field, isObject, listOf } from "../../migrations/search/json/json_values.ts";
import type { SearchRequest } from "../../migrations/search/types.ts";
import {
  countOf,
  deletedOf,
  type Managed,
  managedBy,
  type ManagedIndex,
  namesOf,
  type PolicyChanges,
  policyIdOf,
  predict,
  sendIsm,
  shown,
} from "./managed.ts";

export interface Reach {
  readonly cluster: Cluster;
  readonly request: SearchRequest;
  readonly version: DocumentVersion;
  readonly changes: PolicyChanges;
  readonly confirmed?: ReadonlySet<string> | undefined;
  readonly ensureHeld: () => Promise<void>;
}

interface Refused {
  readonly refused: string;
  readonly isAsked?: boolean;
  readonly isPassing?: boolean;
  readonly released?: undefined;
}

export type Reached = { readonly note?: string } | Refused;
type Sent = { readonly released: ReadonlySet<string> } | Refused;

/** It left its policy, got one, or is one that the plugin never manages. */
const NO_FAILURE = /not being managed|already has a policy|restricted index pattern/;
const ROUNDS = 3;
/** Characters of names in a request line, which may have 4096 bytes. */
const MAX_NAMES = 3000;

/** By itself a cluster uses the new version of a policy, which was just written, only for new indices. */
export async function reachIndices(reach: Reach): Promise<Reached> {
  return reach.changes === "apply" ? await turn(reach) : { note: await kept(reach) };
}

/** How many indices keep an older version. A failure to count them does not fail the file: the policy is written. */
async function kept({ cluster, request, version }: Reach): Promise<string> {
  const managed = await managedBy(cluster, policyIdOf(request)).catch((error): Managed => {
    if (error instanceof TransportError) return { unknown: error.message };
    throw error;
  });
  if ("unknown" in managed) {
    return `indices that it manages keep their version (their number is unknown: ${managed.unknown})`;
  }
  const old = ofOtherVersions(version, managed.indices);
  if (old.length === 0) return "";
  const more = managed.total > managed.indices.length ? "more than " : "";
  return `${more}${countOf(old)} that it manages keep${old.length === 1 ? "s" : ""} ` +
    "the previous version ('migrations.policy_changes: apply' would change that)";
}

async function turn(reach: Reach): Promise<Reached> {
  const { cluster, request, version } = reach;
  for (let round = 1;; round++) {
    const managed = await managedBy(cluster, policyIdOf(request));
    if ("unknown" in managed) {
      return { refused: `its indices cannot be listed: ${managed.unknown}` };
    }
    if (managed.total > managed.indices.length) return { refused: tooMany(managed) };
    const old = ofOtherVersions(version, managed.indices);
    if (old.length === 0) return {};
    const turned = await sendAll(reach, "change_policy", old);
    if (turned.released) return { note: noteOf(request, old, turned.released) };
    if (!turned.isPassing || round === ROUNDS) return turned;
  }
}

export function tooMany(
  { indices, total }: { indices: readonly unknown[]; total: number },
): string {
  return `it manages ${total} indices, of which only ${indices.length} can be listed: ` +
    "set 'migrations.policy_changes: keep', and send 'POST /_plugins/_ism/change_policy' for patterns of them";
}

export async function sendAll(
  { cluster, request, confirmed, ensureHeld }: Reach,
  action: "change_policy" | "add",
  indices: readonly ManagedIndex[],
): Promise<Sent> {
  // One may have been created, or become old enough, since the user confirmed.
  const unasked = deletedOf(await predict(cluster, request, indices))
    .filter(({ index }) => !confirmed?.has(index.name));
  if (unasked.length > 0) {
    const which = `${countOf(unasked)} that this run was not asked about: ${namesOf(unasked)}`;
    return { refused: `it would or may delete ${which}`, isAsked: true };
  }
  const released = new Set<string>();
  const refused: { name: string; reason: string }[] = [];
  for (const { path, body, count } of indexRequests(action, request, indices)) {
    await ensureHeld();
    const answer = await sendIsm(cluster, path, body);
    const { status, json } = answer;
    if (status !== 200 || typeof field(json, "updated_indices") !== "number") {
      // One index that was deleted meanwhile fails the request for all.
      const isPassing = errorType(answer) === "index_not_found_exception";
      return {
        refused: `${answer.host} refused POST ${path}: ${describeFailure(answer)}`,
        isPassing,
      };
    }
    const failures = listOf(field(json, "failed_indices")).filter(isObject);
    const missing = count - Number(field(json, "updated_indices")) - failures.length;
    if (missing > 0 || (field(json, "failures") === true && failures.length === 0)) {
      const done = `${answer.host} changed ${field(json, "updated_indices")} of ${count} indices`;
      return { refused: `${done} to it, and gives no reason for the others` };
    }
    for (const failure of failures) {
      const [name, reason] = [String(failure.index_name), String(failure.reason)];
      if (NO_FAILURE.test(reason)) released.add(name);
      else refused.push({ name, reason });
    }
  }
  if (refused.length === 0) return { released };
  const reasons = [...new Set(refused.map(({ reason }) => reason))];
  const names = shown(refused.map(({ name }) => name));
  return {
    refused: `${refused.length} of ${countOf(indices)} did not change to it: ${names} (${
      reasons.slice(0, 3).join("; ")
    })`,
    isPassing: reasons.every((reason) => reason.includes("version conflict")),
  };
}

export function indexRequests(
  action: string,
  request: SearchRequest,
  indices: readonly Pick<ManagedIndex, "name">[],
): readonly { readonly path: string; readonly body: string; readonly count: number }[] {
  const body = JSON.stringify({ policy_id: policyIdOf(request) });
  let [part, characters] = [0, 0];
  const names = indices.map(({ name }) => encodeURIComponent(name));
  const parts = Map.groupBy(names, ({ length }) => {
    characters += length + 1;
    if (characters > MAX_NAMES + 1 && characters > length + 1) {
      [part, characters] = [part + 1, length + 1];
    }
    return part;
  });
  return [...parts.values()].map((names) => {
    return { path: `${action}/${names.join(",")}`, body, count: names.length };
  });
}

/** The indices with another version; a job that has not run yet has the version of the creation of its index. */
export function ofOtherVersions(
  { seqNo }: Pick<DocumentVersion, "seqNo">,
  indices: readonly ManagedIndex[],
): readonly ManagedIndex[] {
  return indices.filter((index) => index.seqNo !== seqNo);
}

function noteOf(
  { body }: SearchRequest,
  old: readonly ManagedIndex[],
  released: ReadonlySet<string>,
): string {
  const turned = old.filter(({ name }) => !released.has(name));
  if (turned.length === 0) return "";
  const states = new Set(
    listOf(field(bodyOf({ body }), "policy", "states")).map((state) => field(state, "name")),
  );
  const lost = turned.filter(({ state, next = state }) => next !== undefined && !states.has(next));
  const stopped = turned.filter(({ isStopped }) => isStopped);
  const names = (indices: readonly ManagedIndex[]) => shown(indices.map(({ name }) => name));
  return [
    turned.length === 1
      ? "1 index changes to it at the next run of its job"
      : `${countOf(turned)} change to it at the next run of their jobs`,
    ...lost.length === 0 ? [] : [
      `the policy lacks the state of ${
        names(lost)
      }: such a job fails, which 'GET /_plugins/_ism/explain' shows minutes later`,
    ],
    ...stopped.length === 0
      ? []
      : [`the job of ${names(stopped)} has stopped, and may need 'POST /_plugins/_ism/retry'`],
  ].join("; ");
}
