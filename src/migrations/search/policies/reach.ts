import type { DocumentVersion } from "../../runner/mod.ts";
import { describeFailure, errorType } from "../cluster/answer.ts";
import { type Cluster, TransportError } from "../cluster/cluster.ts";
import { field, isObject, listOf, valueOf } from "../json/json_values.ts";
import type { SearchRequest } from "../types.ts";
import { deletedOf, namesOf, predict } from "./predict.ts";
import { type Managed, managedBy, type ManagedIndex, policyIdOf, sendIsm } from "./managed.ts";
import { countOf, shown } from "./words.ts";

/** What {@linkcode reachIndices} needs. */
export interface Reach {
  readonly cluster: Cluster;
  /** The PUT of the policy, which is done. */
  readonly request: SearchRequest;
  /** Of the policy as it is now. */
  readonly version: DocumentVersion;
  /** Whether indices that it manages turn to it, or are only counted. */
  readonly changes: "keep" | "apply";
  /** Names of the indices whose deletion was agreed to. */
  readonly agreed?: ReadonlySet<string> | undefined;
  /** Throws when the run may not go on; called before each write. */
  readonly ensureHeld: () => Promise<void>;
}

/** What came of it: something worth saying, or what the cluster did not do, as a sentence without its final period. */
export type Reached =
  | { readonly note?: string }
  | {
    readonly refused: string;
    /** Whether a run that is agreed to does it. */
    readonly isAsked?: boolean;
  };

/** How often indices are listed again because some of them changed meanwhile. */
const ROUNDS = 3;
/** What fits into the first line of a request, which may have 4096 bytes. */
const MAX_NAMES = 3000;

/**
 * Brings the version of a policy that was just written to the indices that it manages already, or counts those that
 * keep the version they have: a cluster gives it to new indices alone.
 */
export async function reachIndices(reach: Reach): Promise<Reached> {
  return reach.changes === "apply" ? await turn(reach) : { note: await kept(reach) };
}

/** How many indices keep an older version. What cannot be counted is no failure: the policy is written. */
async function kept({ cluster, request, version }: Reach): Promise<string> {
  const managed = await managedBy(cluster, policyIdOf(request)).catch((error): Managed => {
    if (error instanceof TransportError) return { unknown: error.message };
    throw error;
  });
  if ("unknown" in managed) {
    return `indices that it manages keep the version that they have (how many is not known: ${managed.unknown})`;
  }
  const old = olderThan(version, managed.indices);
  if (old.length === 0) return "";
  const more = managed.total > managed.indices.length ? "more than " : "";
  return `${more}${countOf(old)} that it manages keep${old.length === 1 ? "s" : ""} ` +
    "the version before ('migrations.policy_changes: apply' would change that)";
}

async function turn(reach: Reach): Promise<Reached> {
  const { cluster, request, version } = reach;
  for (let round = 1;; round++) {
    const managed = await managedBy(cluster, policyIdOf(request));
    if ("unknown" in managed) {
      return { refused: `its indices cannot be listed: ${managed.unknown}` };
    }
    if (managed.total > managed.indices.length) return { refused: tooMany(managed) };
    const old = olderThan(version, managed.indices);
    if (old.length === 0) return {};
    const refused = await unagreed(reach, old);
    if (refused !== undefined) return { refused, isAsked: true };
    const turned = await turnAll(reach, old);
    if (!("refused" in turned)) return { note: noteOf(request, old, turned.gone) };
    if (!turned.isPassing || round === ROUNDS) return { refused: turned.refused };
  }
}

/** Why it goes no further: an index may have come, or have become old enough, since the run was agreed to. */
async function unagreed(
  { cluster, request, agreed }: Reach,
  old: readonly ManagedIndex[],
): Promise<string | undefined> {
  const deleted = deletedOf(await predict(cluster, request, old))
    .filter(({ index }) => !agreed?.has(index.name));
  if (deleted.length === 0) return undefined;
  return `it would or may delete ${countOf(deleted)} that this run was not asked about: ${
    namesOf(deleted)
  }`;
}

/** Why indices of a policy are not changed: there are too many. */
export function tooMany(
  { indices, total }: { indices: readonly unknown[]; total: number },
): string {
  return `it manages ${total} indices, of which only ${indices.length} can be listed: ` +
    "set 'migrations.policy_changes: keep', and send 'POST /_plugins/_ism/change_policy' for patterns of them";
}

/** The result for a list of indices. */
type Turned =
  | {
    /** Those that the policy does not manage any more. */
    readonly gone: ReadonlySet<string>;
  }
  | {
    readonly refused: string;
    /** Whether listing them again may give another result. */
    readonly isPassing: boolean;
  };

async function turnAll(
  { cluster, request, ensureHeld }: Reach,
  old: readonly ManagedIndex[],
): Promise<Turned> {
  const gone = new Set<string>();
  const refused: { name: string; reason: string }[] = [];
  for (const { path, body, count } of changeRequests(request, old)) {
    await ensureHeld();
    const answer = await sendIsm(cluster, path, body);
    const { status, json } = answer;
    if (status !== 200 || typeof field(json, "updated_indices") !== "number") {
      // One that was deleted since spoils it for all.
      const isPassing = errorType(answer) === "index_not_found_exception";
      return {
        refused: `${answer.host} refused POST ${path}: ${describeFailure(answer)}`,
        isPassing,
      };
    }
    const failures = listOf(field(json, "failed_indices")).filter(isObject);
    const missing = count - Number(field(json, "updated_indices")) - failures.length;
    if (missing > 0 || (field(json, "failures") === true && failures.length === 0)) {
      const done = `${answer.host} turned ${field(json, "updated_indices")} of ${count} indices`;
      return { refused: `${done} to it, and does not say why not the others`, isPassing: false };
    }
    for (const failure of failures) {
      const [name, reason] = [String(failure.index_name), String(failure.reason)];
      if (/not being managed/.test(reason)) gone.add(name);
      else refused.push({ name, reason });
    }
  }
  if (refused.length === 0) return { gone };
  const reasons = [...new Set(refused.map(({ reason }) => reason))];
  const names = shown(refused.map(({ name }) => name));
  return {
    refused: `${refused.length} of ${countOf(old)} did not turn to it: ${names} (${
      reasons.slice(0, 3).join("; ")
    })`,
    isPassing: reasons.every((reason) => reason.includes("version conflict")),
  };
}

/** The requests that turn indices to the policy, as many as their names need; paths are below that of the plugin. */
export function changeRequests(
  request: SearchRequest,
  indices: readonly Pick<ManagedIndex, "name">[],
): readonly { readonly path: string; readonly body: string; readonly count: number }[] {
  const body = JSON.stringify({ policy_id: policyIdOf(request) });
  const chunks: string[] = [];
  for (const { name } of indices) {
    const encoded = encodeURIComponent(name);
    const last = chunks.at(-1);
    const joined = `${last},${encoded}`;
    if (last === undefined || joined.length > MAX_NAMES) chunks.push(encoded);
    else chunks[chunks.length - 1] = joined;
  }
  return chunks.map((names) => {
    return { path: `change_policy/${names}`, body, count: names.split(",").length };
  });
}

/** Those that work with another version; a job that has not run yet has the one of its index' beginning. */
export function olderThan(
  { seqNo }: Pick<DocumentVersion, "seqNo">,
  indices: readonly ManagedIndex[],
): readonly ManagedIndex[] {
  return indices.filter((index) => index.seqNo !== seqNo);
}

function noteOf(
  { body }: SearchRequest,
  old: readonly ManagedIndex[],
  gone: ReadonlySet<string>,
): string {
  const turned = old.filter(({ name }) => !gone.has(name));
  if (turned.length === 0) return "";
  const states = new Set(
    listOf(field(field(valueOf(body), "policy"), "states")).map((state) => field(state, "name")),
  );
  const lost = turned.filter(({ state, next = state }) => next !== undefined && !states.has(next));
  const stopped = turned.filter(({ isStopped }) => isStopped);
  const names = (indices: readonly ManagedIndex[]) => shown(indices.map(({ name }) => name));
  return [
    turned.length === 1
      ? "1 index turns to it when its job runs next"
      : `${countOf(turned)} turn to it when their jobs run next`,
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
