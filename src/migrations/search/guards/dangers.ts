import { printable } from "../../../text/mod.ts";
import type { FileProblem } from "../../runner/mod.ts";
import type { Cluster } from "../cluster/cluster.ts";
import { type Confirmed, isPolicy } from "../../../features/policy_effects/managed.ts";
import type { SearchConnection, SearchMigration } from "../types.ts";

/**
 * Irreversible effects of files that are about to be applied: indices that a policy deletes, rights that the user of the
 * run loses. Sends requests only for such files.
 */
export async function dangersOf(
  cluster: Cluster,
  connection: SearchConnection,
  migrations: readonly SearchMigration[],
  confirmed: Confirmed | undefined,
): Promise<readonly FileProblem[]> {
  const dangers: FileProblem[] = [];
  const policies = migrations.filter(({ request }) => isPolicy(request));
  if (connection.policyChanges === "apply" && policies.length > 0) {
    const { policyDangers } = await import("../../../features/policy_effects/prediction_notes.ts");
    dangers.push(...await policyDangers(cluster, connection.name, policies, confirmed));
  }
  if (changesSecurity(migrations)) {
    const { lockOutDangers } = await import("../../../features/lock_out/lock_out.ts");
    dangers.push(...await lockOutDangers(cluster, connection, migrations));
  }
  const order = migrations.map(({ file: { path } }) => path);
  dangers.sort((a, b) => order.indexOf(a.path) - order.indexOf(b.path));
  // Answers of a cluster may contain anything.
  return dangers.map((danger) => ({
    ...danger,
    message: cluster.redact(printable(danger.message)),
  }));
}

export async function warningsOf(
  connection: Pick<SearchConnection, "authorization">,
  migrations: readonly SearchMigration[],
): Promise<readonly FileProblem[]> {
  if (!changesSecurity(migrations)) return [];
  const { lockOutWarnings } = await import("../../../features/lock_out/lock_out.ts");
  return lockOutWarnings(connection, migrations);
}

function changesSecurity(migrations: readonly SearchMigration[]): boolean {
  return migrations.some(({ request }) => /_security|%/.test(request.path));
}
