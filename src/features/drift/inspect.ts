import type { Difference, MigrationRecord } from "../../migrations/runner/mod.ts";
import type { Cluster } from "../../migrations/search/cluster/cluster.ts";
import { compareResource } from "../../migrations/search/compare/preview.ts";
import type { SearchMigration } from "../../migrations/search/types.ts";
import { claimsOf } from "./made.ts";

export interface Drift {
  readonly file: string;
  readonly resource: string;
  readonly differences: readonly Difference[];
  readonly note?: string;
}
/**
 * The differences between applied files and live resources, in file order; without a difference, what is live beyond them
 * or cannot be compared. Sends one GET for each resource, and one more request where the cluster shows a mapping in another
 * form, or an alias differs.
 * @param recorded the records of files; the applied content of a file that was edited since is unknown
 * @throws {TransportError} where the cluster refuses one of these requests, too
 */
export async function clusterDrift(
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
      ? await compareResource(reader, resource, wanted, whole)
      : { differences: [], note };
    const missing = { path: "", wanted, live: undefined };
    const { differences = [missing], beyond = [] } = found;
    const said = found.note ?? beyondNote(beyond);
    if (differences.length === 0 && said === undefined) continue;
    drifts.push({ file, resource: resource.key, differences, ...(said && { note: said }) });
  }
  return drifts;
}

function beyondNote(beyond: readonly Difference[]): string | undefined {
  if (beyond.length === 0) return undefined;
  return `the cluster has more than the file: ${beyond.map(({ path }) => path).join(", ")}`;
}
