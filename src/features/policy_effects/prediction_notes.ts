import { printable } from "../../text/mod.ts";
import {
  ConnectionError,
  type FileProblem,
  MigrationFailedError,
} from "../../migrations/runner/mod.ts";
import { hasNoHandler } from "../../migrations/search/cluster/answer.ts";
import type { Cluster } from "../../migrations/search/cluster/cluster.ts";
import { isSame } from "../../migrations/search/json/compare.ts";
import { field, numberOf } from "../../migrations/search/json/json_values.ts";
import { ISM } from "../../migrations/search/kinds/policies.ts";
import { resourceOf } from "../../migrations/search/kinds/resource.ts";
import type { SearchMigration, SearchRequest } from "../../migrations/search/types.ts";
import {
  byCertainty,
  type ConfirmedDeletions,
  countOf,
  deletedOf,
  type IndexPrediction,
  managedBy,
  namesOf,
  type PolicyChanges,
  policyIdOf,
  predict,
} from "./managed.ts";
import type { PredictedEffect } from "./predicted_effect.ts";
import { indexRequests, ofOtherVersions, tooMany } from "./reach.ts";

const DAY = 86_400_000;
const SHOWN = 50;

export type Predictions =
  | { readonly indices: readonly IndexPrediction[]; readonly isMore?: boolean }
  | { readonly unknown: string; readonly isForbidden?: boolean };

/** The indices that policies would delete at once. Sends two or three requests for a policy. */
export async function policyDangers(
  cluster: Cluster,
  connection: string,
  migrations: readonly SearchMigration[],
  confirmed: ConfirmedDeletions | undefined,
  which: string,
  find: typeof predictionsOf,
): Promise<readonly FileProblem[]> {
  const dangers: FileProblem[] = [];
  for (const { file: { path }, request } of migrations) {
    const found = await find(cluster, request, "apply");
    if ("unknown" in found) {
      const message = `The effect of the policy on its indices is unknown: ${found.unknown}`;
      if (confirmed === undefined) {
        dangers.push({ severity: "warning", path, message: `${message}: a run fails` });
        continue;
      }
      const said = cluster.redact(message);
      throw found.isForbidden
        ? new ConnectionError(connection, `${path}: ${said}`)
        : new MigrationFailedError(connection, path, said);
    }
    const deleted = deletedOf(found.indices);
    if (deleted.length === 0) continue;
    const names = deleted.map(({ index }) => index.name);
    confirmed?.set(path, new Set([...confirmed.get(path) ?? [], ...names]));
    dangers.push({
      severity: "error",
      path,
      message: `Policy '${policyIdOf(request)}' ${deletionOf(deleted)} ${which}, as soon as ${
        deleted.length === 1 ? "its job runs" : "their jobs run"
      }: ${namesOf(deleted)}`,
    });
  }
  return dangers;
}

export async function policyPreview(
  cluster: Cluster,
  request: SearchRequest,
  changes: PolicyChanges,
): Promise<{ readonly requests: readonly string[]; readonly consequences: readonly string[] }> {
  const found = await predictionsOf(cluster, request, changes);
  if ("unknown" in found) {
    const reason = `its indices are unknown: ${found.unknown}`;
    return { requests: [], consequences: [cluster.redact(reason)] };
  }
  const { indices, isMore = false } = found;
  const isOne = indices.length === 1;
  const keeps = `${isMore ? "more than " : ""}${countOf(indices)} that it manages ` +
    `keep${isOne ? "s" : ""} the previous version; ` +
    "with 'migrations.policy_changes: apply' the policy would reach:";
  return {
    requests: changes === "keep"
      ? []
      : indexRequests("change_policy", request, indices.map(({ index }) => index))
        .map(({ path, body }) => `POST ${ISM}/${path}\n${body}`),
    consequences: [
      ...indices.length > 0 && changes === "keep" ? [keeps] : [],
      ...linesOf(indices),
    ],
  };
}

export function linesOf(indices: readonly IndexPrediction[], place = placeOf): readonly string[] {
  const lines = byCertainty(indices).slice(0, SHOWN)
    .map((one) => printable(lineOf(one, place(one.index))));
  const more = indices.length - lines.length;
  return more > 0 ? [...lines, `and ${more} more`] : lines;
}

export async function predictionsOf(
  cluster: Cluster,
  request: SearchRequest,
  changes: PolicyChanges,
): Promise<Predictions> {
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
}

/** `deletes 2 indices`, `deletes 1 index and may delete 2 more`. */
function deletionOf(deleted: readonly IndexPrediction[]): string {
  const sure = deleted.filter(({ effect }) => effect.deletion === "yes");
  if (sure.length === 0) return `may delete ${countOf(deleted)}`;
  const more = deleted.length - sure.length;
  return `deletes ${countOf(sure)}${more > 0 ? ` and may delete ${more} more` : ""}`;
}

/** `logs-1 (31d old, in state 'hot'): would go on to 'gone' and be deleted at once`. */
function lineOf({ index, ageMs, effect }: IndexPrediction, place: string): string {
  const { name, isStopped } = index;
  const facts = [
    ...(ageMs === undefined ? [] : [`${ageText(ageMs)} old`]),
    place,
    ...(isStopped ? ["its job has stopped"] : []),
  ].join(", ");
  return `${name} (${facts}): ${fateOf(effect)}`;
}

function placeOf({ state, next, seqNo }: IndexPrediction["index"]): string {
  if (next !== undefined) return `on its way to state '${next}'`;
  if (state !== undefined) return `in state '${state}'`;
  return seqNo === undefined ? "its job has not run yet" : "in an unknown state";
}

function fateOf({ isLost, path, deletion }: PredictedEffect): string {
  if (isLost) return `would fail, as the policy does not have the state '${path[0]}'`;
  const steps = path.slice(1).map((name) => `'${name}'`).join(", then ");
  const way = steps === "" ? "" : `go on to ${steps}`;
  switch (deletion) {
    case "yes":
      return `would ${way === "" ? "" : `${way} and `}be deleted at once`;
    case "may":
      return `may ${way === "" ? "" : `${way} and `}be deleted`;
  }
  return way === "" ? "would stay in its state" : `would or may ${way}`;
}

function ageText(ms: number): string {
  if (ms >= DAY) return `${Math.floor(ms / DAY)}d`;
  if (ms >= DAY / 24) return `${Math.floor(ms / (DAY / 24))}h`;
  return `${Math.max(0, Math.floor(ms / 60_000))}m`;
}
