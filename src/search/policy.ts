import { MigrationFailedError } from "../migrations/mod.ts";
import { type Answer, describeFailure, errorType, field } from "./answer.ts";
import type { Cluster } from "./cluster.ts";
import { isSubset } from "./subset.ts";
import type { DocumentVersion, SearchMigration } from "./types.ts";

/** What came of writing a policy. */
export interface PolicyResult {
  /** Version for the next conditional write. */
  readonly version: DocumentVersion;
  readonly note?: string;
}

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
  cluster: Cluster,
  connection: string,
  migration: SearchMigration,
  previous: DocumentVersion | undefined,
): Promise<PolicyResult> {
  const { file, request, name } = migration;
  const body = request.body!;
  const fail = (message: string): MigrationFailedError =>
    new MigrationFailedError(connection, file.path, message);
  let path = request.path;
  let expected = previous;
  let note: string | undefined;

  for (let round = 0; round <= ROUNDS; round++) {
    const answer = await cluster.send({ ...request, path: path + condition(expected) }, SAFE);
    if (answer.status === 200 || answer.status === 201) {
      return { version: versionOf(answer), ...(note !== undefined && { note }) };
    }
    if (isMissingPlugin(answer)) {
      if (path.startsWith(OLD_PREFIX)) throw fail(missingPlugin(answer));
      path = path.replace(PREFIX, OLD_PREFIX);
      continue;
    }
    // On a fresh cluster two writers race to create the plugin's index; the loser tries again.
    if (errorType(answer) === "resource_already_exists_exception") continue;
    if (answer.status !== 409) throw fail(`${answer.host} refused it: ${describeFailure(answer)}`);

    const live = await cluster.send({ method: "GET", path }, SAFE);
    if (live.status === 404) {
      expected = undefined; // It was deleted: create it again.
      continue;
    }
    if (live.status !== 200) throw fail(`${live.host} refused it: ${describeFailure(live)}`);
    if (isSubset(wanted(body), field(live.json, "policy"))) {
      return { version: versionOf(live), note: "the live policy is the same already" };
    }
    note = previous === undefined
      ? "replaced the policy that was there"
      : "replaced a policy that somebody else had changed";
    expected = versionOf(live);
  }
  throw fail(`Somebody else keeps changing the policy '${name}': gave up after ${ROUNDS} rounds`);
}

/** Conditional writes and creations do no harm when they are sent twice. */
const SAFE = { repeatSafe: true };

function condition(version: DocumentVersion | undefined): string {
  if (version === undefined) return "";
  return `?if_seq_no=${version.seqNo}&if_primary_term=${version.primaryTerm}`;
}

function versionOf({ json }: Answer): DocumentVersion {
  return {
    seqNo: Number(field(json, "_seq_no")),
    primaryTerm: Number(field(json, "_primary_term")),
  };
}

/** The policy of the file in the form in which the cluster gives it back. */
function wanted(body: string): unknown {
  const policy = field(JSON.parse(body), "policy") as Record<string, unknown>;
  const { ism_template: template } = policy;
  if (template === undefined || template === null || Array.isArray(template)) return policy;
  return { ...policy, ism_template: [template] };
}

function isMissingPlugin({ status, text }: Answer): boolean {
  return (status === 400 || status === 405) &&
    /no handler found for uri|Incorrect HTTP method for uri/.test(text);
}

function missingPlugin({ host }: Answer): string {
  return `${host} has no index state management: install the plugin 'opensearch-index-management', ` +
    "or write an ILM policy ('phases') for Elasticsearch";
}
