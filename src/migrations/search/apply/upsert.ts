import { backOffMs, type DocumentVersion, pause } from "../../runner/mod.ts";
import { type Answer, describeFailure, hasNoHandler } from "../cluster/answer.ts";
import type { Cluster } from "../cluster/cluster.ts";
import { isSame } from "../json/compare.ts";
import { field, isEmpty, type Json, objectOf } from "../json/json_values.ts";
import { condition, documentVersionOf, type LiveResource, methodOf } from "../kinds/resource.ts";
import type { Kind } from "../kinds/types.ts";
import type { SearchRequest } from "../types.ts";

export interface PolicyWritten {
  readonly version: DocumentVersion;
  readonly change: "created" | "updated" | "same";
  /** Whether members that the request omits were added to it: then the next write must not use this version. */
  readonly isCompleted: boolean;
  readonly note?: string | undefined;
}

export type UpsertOutcome =
  | PolicyWritten
  | {
    readonly refused: string;
    readonly answer?: Answer;
  };

export interface VersionedUpsert {
  readonly cluster: Cluster;
  readonly request: SearchRequest;
  readonly resource: LiveResource;
  readonly mayComplete: boolean;
  readonly previous: DocumentVersion | undefined;
  readonly mayBeOurs: boolean;
  readonly ensureHeld: () => Promise<void>;
}

const ROUNDS = 3;
const RACES = 5;
const SAFE = { repeatSafe: true };

interface Round {
  readonly expected: DocumentVersion | undefined;
  readonly kept: Json;
  readonly note?: string | undefined;
}

/**
 * Creates or updates a policy of the index management plugin. A create fails for a policy that exists, and an update names
 * the version that it replaces: that of the record, or, if another client wrote in between, that of the live policy. A
 * conflict is never taken for success: the live policy is read, and has to be the same in both directions.
 */
export async function upsertVersioned(upsert: VersionedUpsert): Promise<UpsertOutcome> {
  const { cluster, request, resource: { kind }, previous, ensureHeld } = upsert;
  let round: Round = { expected: previous, kept: {} };
  for (let conflicts = 0, races = 0;;) {
    await ensureHeld();
    const { expected, kept, note } = round;
    const method = methodOf(kind, expected);
    const path = request.path + condition(expected);
    const body = withMembers(request.body, kept);
    const answer = await cluster.sendToPlugin({ ...request, method, path, body }, SAFE);
    const version = versionOf(answer);
    if (version) {
      const change = answer.status === 201 ? "created" : "updated";
      return { version, change, isCompleted: isUnusual(kind, kept), note };
    }
    if (hasNoHandler(answer)) return { refused: missingPlugin(answer) };
    if (isIndexRace(answer) && ++races < RACES) {
      await pause(backOffMs(races));
      continue;
    }
    if (answer.status !== 409) return { refused: describeFailure(answer), answer };
    const next = await afterConflict(upsert, round);
    if ("refused" in next || "version" in next) return next;
    if (++conflicts > ROUNDS) {
      return {
        refused: `another client keeps changing the policy: gave up after ${ROUNDS} rounds`,
      };
    }
    round = next;
  }
}

async function afterConflict(
  { cluster, request: { path }, resource, mayComplete, previous, mayBeOurs }: VersionedUpsert,
  { expected, note }: Round,
): Promise<UpsertOutcome | Round> {
  const { kind, wanted } = resource;
  const live = await cluster.sendToPlugin({ method: "GET", path }, SAFE);
  if (live.status === 404) return { expected: undefined, kept: {}, note };
  const version = versionOf(live);
  if (version === undefined) return { refused: describeFailure(live), answer: live };
  const [state] = resource.read(live.json);
  const omitted = omittedMembers(kind, wanted, state);
  const kept = mayComplete ? omitted : {};
  if (isSame({ ...objectOf(wanted), ...kept }, state)) {
    const note = "the live policy is the same already";
    return { version, change: "same", isCompleted: isUnusual(kind, kept), note };
  }
  if (version.seqNo === expected?.seqNo || mayBeOurs) return { expected: version, kept, note };
  const replaced = previous === undefined
    ? "replaced the policy that was there"
    : "replaced a policy that another client had changed";
  const suffix = mayComplete ? "; it stays stopped" : "; it was stopped, and is started again";
  return { expected: version, kept, note: replaced + (isUnusual(kind, omitted) ? suffix : "") };
}

/** Members that a request omits, and an update without them would change. */
function omittedMembers({ stays }: Kind, wanted: unknown, live: unknown): Json {
  if (stays === undefined || field(wanted, stays.name) !== undefined) return {};
  const value = field(live, stays.name);
  return value === undefined ? {} : { [stays.name]: value };
}

function isUnusual({ stays }: Kind, members: Json): boolean {
  return stays !== undefined && !isEmpty(members) && members[stays.name] !== stays.usual;
}

function withMembers(body: string | undefined, members: Json): string | undefined {
  return isEmpty(members) ? body : body?.replace("{", `${JSON.stringify(members).slice(0, -1)},`);
}

function versionOf({ status, json }: Answer): DocumentVersion | undefined {
  return status === 200 || status === 201 ? documentVersionOf(json) : undefined;
}

/** On a fresh cluster two writers race to create the plugin's index, and the loser has to retry (recorded, 2.19 and 3.4). */
function isIndexRace({ status, text }: Answer): boolean {
  return (status === 409 || status === 400) && text.includes(".opendistro-ism-config") &&
    /already exists|resource_already_exists/.test(text) && !text.includes("version conflict");
}

function missingPlugin({ host }: Answer): string {
  return `${host} has no index state management: install the plugin 'opensearch-index-management', ` +
    "or write a policy for Elasticsearch ('phases'; of snapshots 'schedule' and 'repository')";
}
