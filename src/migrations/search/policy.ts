import { MigrationFailedError } from "../runner/mod.ts";
import type { ApplyContext, Done } from "./_apply_context.ts";
import { policyState } from "./_canonical.ts";
import { type Answer, describeFailure, errorType, field, hasNoHandler } from "./answer.ts";
import { backoff, sleep } from "./cluster.ts";
import { isSubset } from "./compare.ts";
import { resourceOf } from "./resource.ts";
import type { DocumentVersion, SearchMigration } from "./types.ts";

const ROUNDS = 3;
const PREFIX = "/_plugins/_ism/";
/** Where the plugin lives on Open Distro and on early OpenSearch. */
const OLD_PREFIX = "/_opendistro/_ism/";

/**
 * Creates or updates an ISM policy. A plain PUT only creates: an update names the version it replaces. That is the
 * one of the record, and where somebody else wrote in between, that of the live policy.
 *
 * @param previous version of the last write
 * @throws {MigrationFailedError} when the cluster refuses the policy or has no such plugin
 */
export async function upsertPolicy(
  { cluster, connection, ensureHeld }: ApplyContext,
  migration: SearchMigration,
  previous: DocumentVersion | undefined,
): Promise<Done> {
  const { file, request, name } = migration;
  const wanted = resourceOf(migration)?.wanted;
  const fail = (message: string) => new MigrationFailedError(connection, file.path, message);
  let path = request.path;
  let expected = previous;
  let note: string | undefined;
  let races = 0;

  for (let conflicts = 0; conflicts <= ROUNDS;) {
    ensureHeld();
    const answer = await cluster.send({ ...request, path: path + condition(expected) }, SAFE);
    if (answer.status === 200 || answer.status === 201) {
      return { version: versionOf(answer), ...(note !== undefined && { note }) };
    }
    if (hasNoHandler(answer)) {
      if (path.startsWith(OLD_PREFIX)) throw fail(missingPlugin(answer));
      path = path.replace(PREFIX, OLD_PREFIX);
      continue;
    }
    if (isIndexRace(answer) && ++races < ROUNDS) {
      await sleep(backoff(races));
      continue;
    }
    if (answer.status !== 409) throw fail(`${answer.host} refused it: ${describeFailure(answer)}`);

    conflicts++;
    const live = await cluster.send({ method: "GET", path }, SAFE);
    if (live.status === 404) {
      expected = undefined; // It was deleted: create it again.
      continue;
    }
    if (live.status !== 200) throw fail(`${live.host} refused it: ${describeFailure(live)}`);
    if (isSubset(wanted, policyState(field(live.json, "policy")))) {
      return { version: versionOf(live), note: "the live policy is the same already" };
    }
    note = previous === undefined
      ? "replaced the policy that was there"
      : "replaced a policy that somebody else had changed";
    expected = versionOf(live);
  }
  throw fail(`Somebody else keeps changing the policy '${name}': gave up after ${ROUNDS} rounds`);
}

/** The condition of a write as query, empty for none. */
export function condition(version: DocumentVersion | undefined): string {
  if (version === undefined) return "";
  return `?if_seq_no=${version.seqNo}&if_primary_term=${version.primaryTerm}`;
}

/** Conditional writes and creations do no harm when they are sent twice. */
const SAFE = { repeatSafe: true };

function versionOf({ json }: Answer): DocumentVersion {
  return {
    seqNo: Number(field(json, "_seq_no")),
    primaryTerm: Number(field(json, "_primary_term")),
  };
}

/** On a fresh cluster two writers race to create the plugin's index; the loser tries again. */
function isIndexRace(answer: Answer): boolean {
  return errorType(answer) === "resource_already_exists_exception" &&
    answer.text.includes(".opendistro-ism-config");
}

function missingPlugin({ host }: Answer): string {
  return `${host} has no index state management: install the plugin 'opensearch-index-management', ` +
    "or write an ILM policy ('phases') for Elasticsearch";
}
