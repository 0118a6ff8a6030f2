import type { Target } from "../migrations/mod.ts";
import { classify } from "./classify.ts";
import { Cluster } from "./cluster.ts";
import { checkTogether } from "./overlap.ts";
import { SearchSession } from "./session.ts";
import type { SearchConnection, SearchEnvironment, SearchMigration } from "./types.ts";

/** The migrations of one search cluster: files `*.json`, the index `framework_migrations` (reference 2.7). */
export function searchTarget(
  connection: SearchConnection,
  environment: SearchEnvironment,
): Target<SearchMigration> {
  return {
    connection: connection.name,
    extension: ".json",
    classify,
    check: checkTogether,
    open: async () => {
      const cluster = new Cluster(connection, await environment.openClient(connection));
      return new SearchSession(cluster, connection.name, environment);
    },
  };
}
