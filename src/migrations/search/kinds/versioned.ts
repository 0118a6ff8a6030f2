import { backOffMs, type DocumentVersion, pause } from "../../runner/mod.ts";
import { type Answer, describeFailure, hasNoHandler } from "../cluster/answer.ts";
import type { Cluster } from "../cluster/cluster.ts";
import { isSame } from "../json/compare.ts";
import { field, isEmpty, type Json, objectOf } from "../json/json_values.ts";
import type { SearchRequest } from "../types.ts";
import type { LiveResource } from "./resource.ts";
import type { Kind } from "./types.ts";

/** A policy that is there now. */
export interface PolicyWritten {
  /** Of the policy as it is now. */
  readonly version: DocumentVersion;
  /** Whether it is new, was written over, or was the same already. */
  readonly change: "created" | "updated" | "same";
  /** Whether it has what the request leaves open: the next write has to read it again, and must not use this version. */
  readonly isCompleted: boolean;
  readonly note?: string;
}

/** What came of {@linkcode upsertVersioned}. */
export type UpsertOutcome =
  | PolicyWritten
  | {
    /** Why the cluster has not taken it, as one line. */
    readonly refused: string;
    /** The answer that says so, where it is one. */
    readonly answer?: Answer;
  };

/** What {@linkcode upsertVersioned} needs. */
export interface VersionedUpsert {
  readonly cluster: Cluster;
  /** A PUT of the policy, without a condition. */
  readonly request: SearchRequest;
  /** What the request makes. */
  readonly resource: LiveResource;
  /** Whether what the request leaves open may be said in it as it is on the cluster. */
  readonly mayComplete: boolean;
  /** Of the write that was recorded last. */
  readonly previous: DocumentVersion | undefined;
  /** Whether an earlier run may have written it since: then a change need not be foreign. */
  readonly mayBeOurs: boolean;
  /** Throws when the run may not go on; called before each write. */
  readonly ensureHeld: () => Promise<void>;
}

/** How often another client may change the policy meanwhile. */
const ROUNDS = 3;
/** How often the plugin may still be making its index. */
const RACES = 5;
const PREFIX = "/_plugins/_ism/";
/** Where the plugin lives on Open Distro and on early OpenSearch. */
const OLD_PREFIX = "/_opendistro/_ism/";
/** Conditional writes, creations and reads do no harm when they are sent twice. */
const SAFE = { repeatSafe: true };

/**
 * Creates or updates a policy of the index management plugin. What makes a new one only makes it: an update names the
 * version it replaces. That is the one of the record, or, if another client wrote in between, that of the live policy. A
 * conflict is never taken for success: the live policy is read, and has to be the same in both directions.
 */
export async function upsertVersioned(
  { cluster, request, resource, mayComplete, previous, mayBeOurs, ensureHeld }: VersionedUpsert,
): Promise<UpsertOutcome> {
  const { kind, wanted } = resource;
  let { path } = request;
  let kept: Json = {};
  let expected = previous;
  let note: string | undefined;
  let races = 0;
  for (let conflicts = 0; conflicts <= ROUNDS;) {
    await ensureHeld();
    const method = methodOf(kind, expected);
    const target = path + condition(expected);
    const body = withMembers(request.body, kept);
    const answer = await cluster.send({ ...request, method, path: target, body }, SAFE);
    const version = versionOf(answer);
    if (version) {
      const change = answer.status === 201 ? "created" : "updated";
      const isCompleted = isOutOfUsual(kind, kept);
      return { version, change, isCompleted, ...(note !== undefined && { note }) };
    }
    if (hasNoHandler(answer)) {
      if (!path.startsWith(PREFIX)) return { refused: missingPlugin(answer) };
      path = path.replace(PREFIX, OLD_PREFIX);
      continue;
    }
    if (isIndexRace(answer) && ++races < RACES) {
      await pause(backOffMs(races));
      continue;
    }
    if (answer.status !== 409) return { refused: describeFailure(answer), answer };

    conflicts++;
    const live = await cluster.send({ method: "GET", path }, SAFE);
    if (live.status === 404) {
      // It was deleted: create it again.
      [expected, kept] = [undefined, {}];
      continue;
    }
    const found = versionOf(live);
    if (found === undefined) return { refused: describeFailure(live), answer: live };
    const [state] = resource.read(live.json);
    const open = leftOpen(kind, wanted, state);
    kept = mayComplete ? open : {};
    if (isSame({ ...objectOf(wanted), ...kept }, state)) {
      const note = "the live policy is the same already";
      return { version: found, change: "same", isCompleted: isOutOfUsual(kind, kept), note };
    }
    if (found.seqNo !== expected?.seqNo && !mayBeOurs) {
      const what = previous === undefined
        ? "replaced the policy that was there"
        : "replaced a policy that another client had changed";
      const state = mayComplete
        ? "; it was stopped, and stays so"
        : "; it was stopped, and runs again";
      note = isOutOfUsual(kind, open) ? `${what}${state}` : what;
    }
    expected = found;
  }
  return { refused: `another client keeps changing the policy: gave up after ${ROUNDS} rounds` };
}

/** Members that a request omits, and an update without them would change. */
function leftOpen({ stays }: Kind, wanted: unknown, live: unknown): Json {
  if (stays === undefined || field(wanted, stays.name) !== undefined) return {};
  const value = field(live, stays.name);
  return value === undefined ? {} : { [stays.name]: value };
}

function isOutOfUsual({ stays }: Kind, members: Json): boolean {
  return stays !== undefined && !isEmpty(members) && members[stays.name] !== stays.usual;
}

/** The text of an object that is not empty, with these members before its own. */
function withMembers(body: string | undefined, members: Json): string | undefined {
  return isEmpty(members) ? body : body?.replace("{", `${JSON.stringify(members).slice(0, -1)},`);
}

/** A policy file, or an envelope that puts nothing but a policy: both are upserts. */
export function isUpsert({ method, path, body }: SearchRequest, { kind }: LiveResource): boolean {
  // With a query, such as a condition of its own, it is sent as it is.
  return kind.write === "versioned" && method === "PUT" && body !== undefined &&
    !path.includes("?");
}

/** By what a policy is written, the version given that it replaces. */
export function methodOf({ create = "PUT" }: Kind, version: DocumentVersion | undefined): string {
  return version === undefined ? create : "PUT";
}

/** The condition of a write as query, empty for none. */
export function condition(version: DocumentVersion | undefined): string {
  if (version === undefined) return "";
  return `?if_seq_no=${version.seqNo}&if_primary_term=${version.primaryTerm}`;
}

/** Of a policy that was written or read; `undefined` for any other answer. */
function versionOf({ status, json }: Answer): DocumentVersion | undefined {
  const [seqNo, primaryTerm] = [field(json, "_seq_no"), field(json, "_primary_term")];
  const isFound = (status === 200 || status === 201) && typeof seqNo === "number" &&
    typeof primaryTerm === "number";
  return isFound ? { seqNo, primaryTerm } : undefined;
}

/** On a fresh cluster two writers race to create the plugin's index; the loser tries again (recorded, 2.19 and 3.4). */
function isIndexRace({ status, text }: Answer): boolean {
  return (status === 409 || status === 400) && text.includes(".opendistro-ism-config") &&
    /already exists|resource_already_exists/.test(text) && !text.includes("version conflict");
}

function missingPlugin({ host }: Answer): string {
  return `${host} has no index state management: install the plugin 'opensearch-index-management', ` +
    "or write a policy for Elasticsearch ('phases'; of snapshots 'schedule' and 'repository')";
}
