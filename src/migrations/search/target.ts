import { join } from "../../runtime/path.ts";
import { type Executor, type MigrationFile, ofConnection, type Target } from "../runner/mod.ts";
import { Cluster } from "./cluster/cluster.ts";
import { IndexJournal } from "./journal/journal_index.ts";
import { CLUSTER, SEARCH } from "./offers.ts";
import type { SearchConnection, SearchEnvironment, SearchMigration } from "./types.ts";

/** The migrations of one search cluster: files `*.json`, the index `framework_migrations` (reference 2.7). */
export function searchTarget(
  connection: SearchConnection,
  environment: SearchEnvironment,
): Target<SearchMigration> {
  const { features } = environment;
  const { name, recordedAs = name } = connection;
  const offers = [...connection.offers, SEARCH.offer({ connection, environment })];
  return {
    features,
    offers,
    connection: name,
    // A run does not ask which of the two products it is.
    attributes: { "db.system.name": "opensearch" },
    extension: ".json",
    folder: (root) => Promise.resolve(join(root, connection.name)),
    classifier: async () => (await import("./classifier.ts")).classifierOf(connection),
    withValues: (files) => filledFiles(connection, files),
    async open(signal) {
      const options = { ...environment, timeoutMs: connection.timeoutMs };
      const signer = await features.first((one) => one.signer?.(connection, options));
      const cluster = new Cluster(connection, await environment.openClient(connection), signer);
      const journal = new IndexJournal(cluster, recordedAs, environment, signal);
      let executor: Promise<Executor<SearchMigration>> | undefined;
      return {
        get requests() {
          return cluster.requests;
        },
        features,
        offers: [...offers, CLUSTER.offer(cluster)],
        connection: connection.name,
        owner: environment.owner,
        journal,
        // Most runs have nothing to apply and do not need it. It remembers what the user of a run confirmed.
        executor: () =>
          executor ??= import("./apply/execution.ts").then(({ searchExecutor }) =>
            searchExecutor(cluster, connection, environment)
          ),
        foreign: async (migrations) => {
          const { evolutionHistory, mayBeEvolution } = await import("./foreign/evolution.ts");
          const isAsked = !migrations || mayBeEvolution(migrations.map(({ file }) => file));
          return { histories: isAsked ? await evolutionHistory(cluster, connection.name) : [] };
        },
        async close() {
          await journal.abandon();
          await cluster.close();
        },
      };
    },
  };
}

async function filledFiles(
  { name, placeholders }: SearchConnection,
  files: readonly MigrationFile[],
): Promise<readonly MigrationFile[]> {
  if (placeholders === undefined) return files;
  const { withValues } = await import("./files/placeholders.ts");
  return await withValues(files, placeholders).catch(ofConnection(name));
}
