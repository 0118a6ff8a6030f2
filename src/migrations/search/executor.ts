import type { Attempt, Executor } from "../runner/mod.ts";
import { Execution } from "./apply/execution.ts";
import { classifierOf } from "./classifier.ts";
import type { Cluster } from "./cluster/cluster.ts";
import { previewOf } from "./compare/preview.ts";
import type { SearchConnection, SearchEnvironment, SearchMigration } from "./types.ts";

export function searchExecutor(
  cluster: Cluster,
  connection: SearchConnection,
  environment: SearchEnvironment,
): Executor<SearchMigration> {
  return {
    ...classifierOf(connection),
    async execute(migration, work) {
      const execution = new Execution(cluster, connection, environment, migration, work);
      const applied = await execution.run();
      const { note } = applied;
      return { ...applied, ...(note !== undefined && { note: cluster.redact(note) }) };
    },
    explain,
    obstacle: () => Promise.resolve(undefined),
    preview: (migration, previous) => previewOf(cluster, migration, previous),
  };
}

function explain({ known, task }: Attempt): string {
  if (known !== undefined) return known;
  return task === undefined
    ? "it was interrupted, and it is unknown whether it was applied"
    : `its work may continue in the background of the cluster, as task '${task}'`;
}
