import { classify } from "./classify.ts";
import { Cluster } from "./cluster.ts";
import { checkTogether } from "./overlap.ts";
import { SearchSession } from "./session.ts";
import type { SearchConnection, SearchEnvironment, SearchTarget } from "./types.ts";

/** The migrations of one search cluster: files `*.json`, the index `framework_migrations` (reference 2.7). */
export function searchTarget(
  connection: SearchConnection,
  environment: SearchEnvironment,
): SearchTarget {
  return {
    connection: connection.name,
    extension: ".json",
    classify,
    check: (migrations) => checkTogether(connection.name, migrations),
    open: async () => {
      const cluster = new Cluster(connection, await environment.openClient(connection));
      return new SearchSession(cluster, connection.name, environment);
    },
  };
}
