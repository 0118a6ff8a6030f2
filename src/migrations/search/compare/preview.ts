import type { MigrationRecord, Preview } from "../../runner/mod.ts";
import { describeFailure } from "../cluster/answer.ts";
import type { Cluster } from "../cluster/cluster.ts";
import { isDeletion } from "../cluster/request.ts";
import { isEnvelope } from "../files/envelope.ts";
import { condition, isUpsert, type LiveResource, methodOf, resourceOf } from "../kinds/resource.ts";
import type { SearchMigration, SearchRequest } from "../types.ts";
import { type Comparison, LiveComparison } from "./compare_live.ts";
import { masked, shown } from "./masking.ts";

const DELETES = "this request deletes, and 'migrate' sends it without asking for '--yes'";

/** The requests for a file, and the differences to the live resource, without secrets. Changes nothing. */
export async function previewOf(
  cluster: Cluster,
  migration: SearchMigration,
  previous: MigrationRecord | undefined,
): Promise<Preview> {
  const preview = await requestsOf(cluster, migration, previous);
  const deletes = isDeletion(migration.request) && { consequences: [DELETES] };
  return masked({ ...preview, ...deletes }, (text) => cluster.redact(text));
}

async function requestsOf(
  cluster: Cluster,
  { kind, request }: SearchMigration,
  previous: MigrationRecord | undefined,
): Promise<Preview> {
  const show = (request: SearchRequest) => shown(request, (text) => cluster.redact(text));
  const resource = resourceOf(request);
  const { beyond = [], ...found } = resource === undefined || resource.effect === "gone"
    ? {}
    : await compareResource(cluster, resource, resource.wanted);
  if (resource?.kind.write === "once" && !isEnvelope({ kind })) {
    const look = `GET ${resource.path}`;
    if (found.differences === undefined) return { requests: [look, show(request)], ...found };
    const note = `the ${resource.kind.noun} exists already and will not be changed`;
    return { requests: [look], note, differences: found.differences };
  }
  if (resource === undefined) return { requests: [show(request)] };
  // A request that replaces the whole removes what it omits.
  const kept = !isEnvelope({ kind }) ? resource.kind.stays?.name : undefined;
  const lost = beyond.filter(({ path }) => path !== kept);
  const differences = found.differences && [...found.differences, ...lost];
  const preview = { ...found, ...(differences && { differences }) };
  if (!isUpsert(request, resource)) return { requests: [show(request)], ...preview };
  const path = request.path + condition(previous?.version);
  const sent = { ...request, method: methodOf(resource.kind, previous?.version), path };
  return { requests: [show(sent)], ...preview };
}

/** The differences of a resource to the wanted one, or why they are unknown. */
export async function compareResource(
  cluster: Pick<Cluster, "ask" | "sendToPlugin">,
  resource: LiveResource,
  wanted: unknown,
  whole?: unknown,
): Promise<Partial<Comparison> & { note?: string }> {
  const { path } = resource;
  const answer = await cluster.sendToPlugin({ method: "GET", path }, { repeatSafe: true });
  if (resource.isMissing(answer)) return { note: "does not exist yet" };
  const states = answer.status === 200 ? resource.read(answer.json) : [];
  if (states.length === 0) return { note: `cannot be compared: ${describeFailure(answer)}` };
  const comparison = new LiveComparison(cluster, resource);
  const all = await Promise.all(states.map((live) => comparison.with(wanted, live, whole)));
  return {
    differences: all.flatMap(({ differences }) => differences),
    beyond: all.flatMap(({ beyond }) => beyond),
  };
}
