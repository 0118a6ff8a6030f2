import { type Executor, InvalidFilesError, type Target } from "../runner/mod.ts";
import { Cluster } from "./cluster/cluster.ts";
import { IndexJournal } from "./journal/journal_index.ts";
import type { Signer } from "../../features/sigv4/sign.ts";
import type { SearchConnection, SearchEnvironment, SearchMigration } from "./types.ts";

/** The migrations of one search cluster: files `*.json`, the index `framework_migrations` (reference 2.7). */
export function searchTarget(
  connection: SearchConnection,
  environment: SearchEnvironment,
): Target<SearchMigration> {
  const { placeholders } = connection;
  return {
    connection: connection.name,
    // A run does not ask which of the two products it is.
    attributes: { "db.system.name": "opensearch" },
    extension: ".json",
    classifier: async () => (await import("./classifier.ts")).classifierOf(connection),
    ...(placeholders && {
      withValues: async (files) => {
        const { withValues } = await import("./files/placeholders.ts");
        try {
          return await withValues(files, placeholders);
        } catch (error) {
          if (!(error instanceof InvalidFilesError)) throw error;
          throw new InvalidFilesError(error.problems, connection.name);
        }
      },
    }),
    foreignFiles: async () => (await import("../../features/adopt/evolution.ts")).HTTP_FILES,
    async open(signal) {
      const signer = await signerOf(connection, environment);
      const cluster = new Cluster(connection, await environment.openClient(connection), signer);
      const journal = new IndexJournal(cluster, connection.name, environment, signal);
      let executor: Promise<Executor<SearchMigration>> | undefined;
      return {
        get requests() {
          return cluster.requests;
        },
        connection: connection.name,
        owner: environment.owner,
        journal,
        // Most runs have nothing to apply and do not need it. It remembers what the user of a run confirmed.
        executor: () =>
          executor ??= import("./executor.ts").then(({ searchExecutor }) => {
            return searchExecutor(cluster, connection, environment);
          }),
        foreign: async (migrations) => {
          const { evolutionHistory, mayBeEvolution } = await import(
            "../../features/adopt/evolution.ts"
          );
          if (migrations && !mayBeEvolution(migrations.map(({ file }) => file))) {
            return { histories: [] };
          }
          return { histories: await evolutionHistory(cluster, connection.name) };
        },
        async close() {
          await journal.abandon();
          await cluster.close();
        },
      };
    },
  };
}

async function signerOf(
  { aws, timeoutMs }: SearchConnection,
  environment: SearchEnvironment,
): Promise<Signer | undefined> {
  if (aws === undefined) return undefined;
  const { awsSigner } = await import("../../features/sigv4/sign.ts");
  return await awsSigner(aws, { ...environment, timeoutMs });
}
