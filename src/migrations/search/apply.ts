import { MigrationFailedError } from "../runner/mod.ts";
import type { ApplyContext, Done } from "./_apply_context.ts";
import { type Answer, errorType, failureOf, hasNoHandler, isUnacknowledged } from "./answer.ts";
import { differences } from "./compare.ts";
import { upsertPolicy } from "./policy.ts";
import { resourceOf } from "./resource.ts";
import type { SearchMigration, SearchRecord } from "./types.ts";

/**
 * Applies one file.
 *
 * @throws {MigrationFailedError} when the cluster refuses it
 * @throws {ConnectionError} when the cluster cannot be reached
 */
export async function applyFile(
  context: ApplyContext,
  migration: SearchMigration,
  previous: SearchRecord | undefined,
): Promise<Done> {
  context.ensureHeld();
  const { kind, request, repeatSafe, policy } = migration;
  if (kind === "policy" && policy === "ism") {
    return await upsertPolicy(context, migration, previous?.version);
  }
  if (kind === "index") return await createIndex(context, migration);
  return await settle(context, migration, await context.cluster.send(request, { repeatSafe }));
}

const SAFE = { repeatSafe: true };

/** Creates an index unless something of its name exists (reference 4.4 rules 6 and 8). */
async function createIndex(context: ApplyContext, migration: SearchMigration): Promise<Done> {
  const existing = { note: "the index exists already and was left as it is" };
  const probe = { method: "HEAD", path: migration.request.path };
  if ((await context.cluster.send(probe, SAFE)).status === 200) return existing;
  context.ensureHeld();
  const answer = await context.cluster.send(migration.request, SAFE);
  if (errorType(answer) === "resource_already_exists_exception") return existing;
  return await settle(context, migration, answer);
}

/**
 * What a request finds that was done before: by hand, or by a run that was cut off before it could record it. Nobody is
 * to be stuck in a request that cannot be done twice.
 */
function doneBefore(
  { resumed }: ApplyContext,
  { request: { method } }: SearchMigration,
  answer: Answer,
): string | undefined {
  if (method === "PUT" && errorType(answer) === "resource_already_exists_exception") {
    return "it exists already and was left as it is";
  }
  if (!resumed && !answer.repeated) return undefined;
  if (method === "DELETE" && answer.status === 404) return "it was deleted already";
  if (method === "PUT" && answer.status === 409) return "it was put already";
}

/** What an answer means; what was not acknowledged in time may be done by now. */
async function settle(
  context: ApplyContext,
  migration: SearchMigration,
  answer: Answer,
): Promise<Done> {
  const failure = failureOf(answer);
  if (failure === undefined) return {};
  const note = doneBefore(context, migration, answer);
  if (note !== undefined) return { note };
  if (isUnacknowledged(answer) && await isThere(context, migration)) {
    return { note: "the cluster confirmed it late" };
  }
  const { request: { method, path }, file, policy } = migration;
  const what = `${method} ${path.split("?")[0]}`;
  const hint = policy === "ilm" && hasNoHandler(answer)
    ? "; policies with 'phases' are for Elasticsearch, OpenSearch takes those with 'states'"
    : "";
  const message = `${answer.host} refused ${what}: ${failure}${hint}`;
  throw new MigrationFailedError(context.connection, file.path, message);
}

/** Whether the cluster is as the file says. */
async function isThere({ cluster }: ApplyContext, migration: SearchMigration): Promise<boolean> {
  const resource = resourceOf(migration);
  if (resource === undefined || resource.effect === "gone") return false;
  const { status, json } = await cluster.send({ method: "GET", path: resource.path }, SAFE);
  if (status !== 200) return false;
  const states = resource.read(json);
  return states.length > 0 &&
    states.every((live) => differences(resource.wanted, live).length === 0);
}
