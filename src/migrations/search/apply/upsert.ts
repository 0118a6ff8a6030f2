import {
  type Applied,
  backOffMs,
  type DocumentVersion,
  mayHaveRun,
  pause,
  type Work,
} from "../../runner/mod.ts";
import { type Answer, describeFailure, hasNoHandler } from "../cluster/answer.ts";
import type { Cluster } from "../cluster/cluster.ts";
import { isEnvelope } from "../files/envelope.ts";
import { isSame } from "../json/compare.ts";
import { field, isEmpty, type Json, objectOf } from "../json/json_values.ts";
import { condition, documentVersionOf, type LiveResource, methodOf } from "../kinds/resource.ts";
import type { Kind } from "../kinds/types.ts";
import type { SearchMigration } from "../types.ts";

type UpsertOutcome =
  | { readonly applied: Applied }
  | { readonly refused: string; readonly answer?: Answer };

const ROUNDS = 3;
const RACES = 5;
const SAFE = { repeatSafe: true };
const GIVEN_UP = `another client keeps changing the policy: gave up after ${ROUNDS} rounds`;

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
export class Upsert {
  constructor(
    private readonly cluster: Cluster,
    private readonly migration: SearchMigration,
    private readonly resource: LiveResource,
    private readonly work: Work,
  ) {}

  async run(): Promise<UpsertOutcome> {
    const { cluster, migration: { request }, resource: { kind }, work } = this;
    let round: Round = { expected: work.entry.applied?.version, kept: {} };
    for (let conflicts = 0, races = 0;;) {
      await work.ensureHeld();
      const { expected, kept, note } = round;
      const method = methodOf(kind, expected);
      const path = request.path + condition(expected);
      const body = withMembers(request.body, kept);
      const answer = await cluster.sendToPlugin({ ...request, method, path, body }, SAFE);
      const version = answerVersion(answer);
      if (version) {
        return outcome(kind, kept, version, answer.status === 201 ? "created" : "updated", note);
      }
      if (hasNoHandler(answer)) return { refused: missingPlugin(answer) };
      if (isIndexRace(answer) && ++races < RACES) {
        await pause(backOffMs(races));
        continue;
      }
      if (answer.status !== 409) return { refused: describeFailure(answer), answer };
      const next = await this.#afterConflict(round);
      if (!("kept" in next)) return next;
      if (++conflicts > ROUNDS) return { refused: GIVEN_UP };
      round = next;
    }
  }

  async #afterConflict({ expected, note }: Round): Promise<UpsertOutcome | Round> {
    const { migration, resource: { kind, wanted, read }, work: { entry } } = this;
    const mayComplete = !isEnvelope(migration);
    const { path } = migration.request;
    const live = await this.cluster.sendToPlugin({ method: "GET", path }, SAFE);
    if (live.status === 404) return { expected: undefined, kept: {}, note };
    const version = answerVersion(live);
    if (version === undefined) return { refused: describeFailure(live), answer: live };
    const [state] = read(live.json);
    const omitted = omittedMembers(kind, wanted, state);
    const kept = mayComplete ? omitted : {};
    if (isSame({ ...objectOf(wanted), ...kept }, state)) {
      return outcome(kind, kept, version, "same", "the live policy is the same already");
    }
    if (version.seqNo === expected?.seqNo || mayHaveRun(entry.attempt)) {
      return { expected: version, kept, note };
    }
    const replaced = entry.applied?.version === undefined
      ? "replaced the policy that was there"
      : "replaced a policy that another client had changed";
    const suffix = mayComplete ? "; it stays stopped" : "; it was stopped, and is started again";
    return { expected: version, kept, note: replaced + (isUnusual(kind, omitted) ? suffix : "") };
  }
}

/** Where members that the request omits were added to it, the next write must not use this version. */
function outcome(
  kind: Kind,
  kept: Json,
  version: DocumentVersion,
  change: NonNullable<Applied["change"]>,
  note: string | undefined,
): UpsertOutcome {
  return { applied: { change, ...(!isUnusual(kind, kept) && { version }), ...(note && { note }) } };
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

function answerVersion({ status, json }: Answer): DocumentVersion | undefined {
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
