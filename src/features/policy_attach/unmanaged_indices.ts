import { ConnectionError } from "../../migrations/runner/mod.ts";
import {
  type Answer,
  describeFailure,
  hasNoHandler,
} from "../../migrations/search/cluster/answer.ts";
import type { Cluster } from "../../migrations/search/cluster/cluster.ts";
import { matcherOf } from "../../migrations/search/cluster/request.ts";
import { LOCKS, RECORDS } from "../../migrations/search/journal/own_indices.ts";
import { bodyOf } from "../../migrations/search/json/json.ts";
import {
  field,
  isObject,
  type Json,
  listOf,
  objectOf,
} from "../../migrations/search/json/json_values.ts";
import { ISM, POLICIES } from "../../migrations/search/kinds/policies.ts";
import type { IndexClaim } from "../../migrations/search/kinds/types.ts";
import type { SearchMigration, SearchRequest } from "../../migrations/search/types.ts";
import { isPolicy, type ManagedIndex, policyIdOf } from "../policy_effects/managed.ts";
import { namesInParts } from "../policy_effects/reach.ts";

interface Candidate extends ManagedIndex {
  /** The name of its data stream, which the plugin matches, or its own. */
  readonly matchedName: string;
}

const ROUNDS = 3;

/** The indices without a policy that would get this one if they were created after it. @throws {ConnectionError} */
export async function unmanagedFor(
  cluster: Cluster,
  request: SearchRequest,
  pending: readonly SearchMigration[] = [],
): Promise<readonly Candidate[]> {
  const own = coverageOf(bodyOf(request));
  if (own.length === 0) return [];
  for (let round = 1;; round++) {
    const matching = (await candidates(cluster)).filter((one) => priorityOf(own, one) >= 0);
    const free = await freeOf(cluster, matching, round === ROUNDS);
    if (free === undefined) continue;
    if (free.size === 0) return [];
    const rivals = await otherClaims(cluster, policyIdOf(request), pending.filter(isPolicy));
    return matching.filter((one) => {
      return free.has(one.name) && priorityOf(rivals, one) < priorityOf(own, one);
    });
  }
}

/** The names of those without a policy; `undefined` if they have to be listed again. */
async function freeOf(
  cluster: Cluster,
  indices: readonly ManagedIndex[],
  isLast: boolean,
): Promise<ReadonlySet<string> | undefined> {
  const free = new Set<string>();
  for (const names of namesInParts(indices)) {
    const path = `${ISM}/explain/${names.join()}`;
    const answer = await cluster.sendToPlugin({ method: "GET", path }, { repeatSafe: true });
    if (hasNoHandler(answer)) return free;
    if (answer.status !== 200) {
      // One index that was deleted meanwhile may fail the request for all.
      if (!isLast) return undefined;
      throw refusalOf(cluster, path, answer);
    }
    // Those that the user may not manage are missing, and stay as they are.
    for (const [name, found] of Object.entries(objectOf(answer.json))) {
      if (isObject(found) && typeof found.policy_id !== "string") free.add(name);
    }
  }
  return free;
}

const SETTINGS = "metadata.indices.*.settings.index";
const STATE = "/_cluster/state/metadata?filter_path=metadata.indices.*.state," +
  `${SETTINGS}.hidden,${SETTINGS}.creation_date,${SETTINGS}.*.index_state_management,` +
  "metadata.data_stream.data_stream.*.indices.index_name";

/** The open indices that the plugin manages by itself: hidden ones only in data streams, none with `auto_manage: false`. */
export async function candidates(cluster: Cluster): Promise<readonly Candidate[]> {
  const metadata = field(await jsonAt(cluster, STATE), "metadata");
  const streams = new Map<unknown, string>();
  const found = objectOf(field(metadata, "data_stream", "data_stream"));
  for (const [stream, { indices }] of Object.entries(found) as [string, Json][]) {
    for (const index of listOf(indices)) streams.set(field(index, "index_name"), stream);
  }
  return Object.entries(objectOf(field(metadata, "indices"))).flatMap(([name, index]) => {
    const settings = objectOf(field(index, "settings", "index"));
    const isHidden = name.startsWith(".") || settings.hidden === "true";
    const isExcluded = [settings.plugins, settings.opendistro].some((group) =>
      field(group, "index_state_management", "auto_manage") === "false"
    );
    const isLeftOut = isExcluded || (isHidden && !streams.has(name)) ||
      field(index, "state") !== "open" || name === RECORDS || name === LOCKS;
    const createdAt = Number(settings.creation_date);
    const matchedName = streams.get(name) ?? name;
    return isLeftOut ? [] : [{ name, matchedName, createdAt, isStopped: false }];
  });
}

type Coverage = Pick<IndexClaim, "priority"> & { readonly matches: (name: string) => boolean };

function coverageOf(body: unknown): readonly Coverage[] {
  return POLICIES.claims!(body).map(({ patterns, priority }) => {
    const within = patterns.map(matcherOf);
    const without = patterns.flatMap((one) => /^-(.+)/.exec(one)?.[1] ?? []).map(matcherOf);
    const matches = (name: string) =>
      within.some((one) => one.test(name)) && !without.some((one) => one.test(name));
    return { priority, matches };
  });
}

/** The highest priority of the templates that match; -1 where none does. */
function priorityOf(coverage: readonly Coverage[], { matchedName }: Candidate): number {
  const matching = coverage.filter(({ matches }) => matches(matchedName));
  return Math.max(-1, ...matching.map(({ priority }) => priority));
}

const PAGE = 1000;

async function otherClaims(
  cluster: Cluster,
  policyId: string,
  pending: readonly SearchMigration[],
): Promise<readonly Coverage[]> {
  const policies = new Map<string, readonly Coverage[]>();
  for (let from = 0, total = 1; from < total; from += PAGE) {
    const page = await jsonAt(cluster, `${ISM}/policies?size=${PAGE}&from=${from}`);
    total = Number(field(page, "total_policies") ?? 0);
    for (const policy of listOf(field(page, "policies"))) {
      policies.set(String(field(policy, "_id")), coverageOf(policy));
    }
  }
  for (const { request } of pending) policies.set(policyIdOf(request), coverageOf(bodyOf(request)));
  policies.delete(policyId);
  return [...policies.values()].flat();
}

async function jsonAt(cluster: Cluster, path: string): Promise<unknown> {
  const answer = await cluster.read({ method: "GET", path });
  if (answer.status !== 200) throw refusalOf(cluster, path, answer);
  return answer.json;
}

function refusalOf(cluster: Cluster, path: string, answer: Answer): ConnectionError {
  const reason = `${answer.host} refused GET ${path}: ${describeFailure(answer)}`;
  return new ConnectionError(cluster.name, cluster.redact(reason));
}
