import type { Difference, Drift, Preview } from "../runner/mod.ts";
import { describeFailure, hasNoHandler } from "./answer.ts";
import type { Cluster } from "./cluster.ts";
import { differences, without } from "./compare.ts";
import { condition } from "./policy.ts";
import { type LiveResource, resourceOf } from "./resource.ts";
import type { SearchMigration, SearchRecord, SearchRequest } from "./types.ts";

/** What applying a file would send, and how the cluster differs from it. Sends one GET at most. */
export async function previewOf(
  cluster: Cluster,
  migration: SearchMigration,
  previous: SearchRecord | undefined,
): Promise<Preview> {
  const { kind, policy, request } = migration;
  const resource = resourceOf(migration);
  const compared = resource === undefined || resource.effect === "gone"
    ? {}
    : await compare(cluster, resource, resource.wanted);
  if (kind === "index") {
    const probe = `HEAD ${request.path}`;
    if (compared.differences === undefined) {
      return { requests: [probe, textOf(request)], ...compared };
    }
    const note = "the index exists already and will be left as it is";
    return { requests: [probe], note, differences: compared.differences };
  }
  const path = policy === "ism" ? request.path + condition(previous?.version) : request.path;
  return { requests: [textOf({ ...request, path })], ...compared };
}

/** Where the cluster is not as these files say, in file order. One GET for each resource. */
export async function driftOf(
  cluster: Cluster,
  migrations: readonly SearchMigration[],
): Promise<readonly Drift<SearchMigration>[]> {
  const drifts: Drift<SearchMigration>[] = [];
  for (const { migration, resource, wanted } of whatCounts(migrations)) {
    const { differences = missing(wanted), note } = await compare(cluster, resource, wanted);
    if (differences.length === 0) continue;
    drifts.push({
      migration,
      resource: resource.key,
      differences,
      ...(note !== undefined && { note }),
    });
  }
  return drifts;
}

interface Claim {
  readonly migration: SearchMigration;
  readonly resource: LiveResource;
  /** What the file says and no later file says otherwise. */
  readonly wanted: unknown;
}

/** Goes through the files from the last to the first: what a later one says counts. */
function whatCounts(migrations: readonly SearchMigration[]): readonly Claim[] {
  const claims: Claim[] = [];
  const said = new Map<string, { closed: boolean; parts: unknown[] }>();
  for (const migration of migrations.toReversed()) {
    const resource = resourceOf(migration);
    if (resource === undefined) continue;
    const later = said.get(resource.key) ?? { closed: false, parts: [] };
    said.set(resource.key, later);
    if (later.closed) continue;
    later.closed = resource.effect !== "part";
    if (resource.effect === "gone") continue;
    const wanted = later.parts.reduce(without, resource.wanted);
    later.parts.push(resource.wanted);
    if (wanted !== undefined) claims.unshift({ migration, resource, wanted });
  }
  return claims;
}

async function compare(
  cluster: Cluster,
  resource: LiveResource,
  wanted: unknown,
): Promise<{ differences?: readonly Difference[]; note?: string }> {
  let answer = await cluster.send({ method: "GET", path: resource.path }, { repeatSafe: true });
  if (hasNoHandler(answer) && resource.path.startsWith("/_plugins/_ism/")) {
    const path = resource.path.replace("/_plugins/", "/_opendistro/");
    answer = await cluster.send({ method: "GET", path }, { repeatSafe: true });
  }
  if (answer.status === 404) return { note: "does not exist yet" };
  if (answer.status !== 200) return { note: `cannot be compared: ${describeFailure(answer)}` };
  const states = resource.read(answer.json);
  return { differences: states.flatMap((live) => differences(wanted, live)) };
}

function missing(wanted: unknown): readonly Difference[] {
  return [{ path: "", wanted, live: undefined }];
}

function textOf({ method, path, body }: SearchRequest): string {
  return body === undefined ? `${method} ${path}` : `${method} ${path}\n${body}`;
}
