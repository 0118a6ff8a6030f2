import type { Difference, Drift, MigrationRecord, Preview } from "../../migrations/runner/mod.ts";
import { describeFailure } from "../../migrations/search/cluster/answer.ts";
import type { Cluster } from "../../migrations/search/cluster/cluster.ts";
import { compareLive, type Comparison } from "../../migrations/search/compare/compare_live.ts";
import {
  condition,
  isUpsert,
  type LiveResource,
  methodOf,
  resourceOf,
} from "../../migrations/search/kinds/resource.ts";
import { claimsOf } from "./made.ts";
import { shown } from "../../migrations/search/compare/masking.ts";
import type { SearchMigration, SearchRequest } from "../../migrations/search/types.ts";

/** What applying a file would send, and the differences to the live resource. Changes nothing. */
export async function previewOf(
  cluster: Cluster,
  { kind, request }: SearchMigration,
  previous: MigrationRecord | undefined,
): Promise<Preview> {
  const show = (request: SearchRequest) => shown(request, (text) => cluster.redact(text));
  const resource = resourceOf(request);
  const { beyond = [], ...found } = resource === undefined || resource.effect === "gone"
    ? {}
    : await compare(cluster, resource, resource.wanted);
  if (resource?.kind.write === "once" && kind !== "request") {
    const look = `GET ${resource.path}`;
    if (found.differences === undefined) {
      return { requests: [look, show(request)], ...found };
    }
    const note = `the ${resource.kind.noun} exists already and will not be changed`;
    return { requests: [look], note, differences: found.differences };
  }
  if (resource === undefined) return { requests: [show(request)] };
  // A request that replaces the whole removes what it omits.
  const isKept = ({ path }: Difference) => kind !== "request" && path === resource.kind.stays?.name;
  const lost = beyond.filter((difference) => !isKept(difference));
  const preview = {
    ...found,
    ...(found.differences && { differences: [...found.differences, ...lost] }),
  };
  if (!isUpsert(request, resource)) {
    return { requests: [show(request)], ...preview };
  }
  const method = methodOf(resource.kind, previous?.version);
  const path = request.path + condition(previous?.version);
  return { requests: [show({ ...request, method, path })], ...preview };
}

/**
 * The differences between applied files and live resources, in file order; without a difference, what is live beyond them
 * or cannot be compared. Sends one GET for each resource, and one more request where the cluster shows a mapping in another
 * form, or an alias differs.
 * @param recorded the records of files; the applied content of a file that was edited since is unknown
 * @throws {TransportError} where the cluster refuses one of these requests, too
 */
export async function driftOf(
  cluster: Cluster,
  migrations: readonly SearchMigration[],
  recorded: ReadonlyMap<string, MigrationRecord>,
): Promise<readonly Drift[]> {
  const drifts: Drift[] = [];
  // Without a right or an answer, a comparison would miss what differs.
  const ask: Cluster["ask"] = (request) => cluster.read(request);
  const reader = { ask, sendToPlugin: ask };
  for (const { file, resource, wanted, whole, note } of claimsOf(migrations, recorded)) {
    const found = note === undefined
      ? await compare(reader, resource, wanted, whole)
      : { differences: [], note };
    const missing = { path: "", wanted, live: undefined };
    const { differences = [missing], beyond = [] } = found;
    const said = found.note ?? beyondNote(beyond);
    if (differences.length === 0 && said === undefined) continue;
    drifts.push({ file, resource: resource.key, differences, ...(said && { note: said }) });
  }
  return drifts;
}

async function compare(
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
  const comparisons = await Promise.all(
    states.map((live) => compareLive(cluster, resource, wanted, live, whole)),
  );
  return {
    differences: comparisons.flatMap(({ differences }) => differences),
    beyond: comparisons.flatMap(({ beyond }) => beyond),
  };
}

function beyondNote(beyond: readonly Difference[]): string | undefined {
  if (beyond.length === 0) return undefined;
  return `the cluster has more than the file: ${beyond.map(({ path }) => path).join(", ")}`;
}
