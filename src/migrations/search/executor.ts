import {
  type Abandoned,
  type Applied,
  type Attempt,
  type CutOffWork,
  type Drift,
  ExecutionError,
  type Executor,
  MigrationFailedError,
  type Preview,
  type Work,
} from "../runner/mod.ts";
import { classifierOf } from "./classifier.ts";
import type { Cluster } from "./cluster/cluster.ts";
import { dangersOf } from "./guards/dangers.ts";
import { driftOf, previewOf } from "./drift/inspect.ts";
import { copyStateOf, describeCopy } from "./reindex/copy_state.ts";
import { CopyRefusedError, StepError } from "./reindex/expect.ts";
import { masked } from "./drift/masked.ts";
import type { Agreed } from "./policies/predict.ts";
import { isPolicy } from "./policies/managed.ts";
import type { SearchConnection, SearchEnvironment, SearchMigration } from "./types.ts";
import { Execution } from "./apply/execution.ts";

/** Makes the executor of a search cluster. */
export function searchExecutor(
  cluster: Cluster,
  connection: SearchConnection,
  environment: SearchEnvironment,
): Executor<SearchMigration> {
  const { name, reindex: settings, policyChanges = "keep" } = connection;
  /** Whatever the cluster refuses while it works on a file is a failure of that file. */
  const of = async <T>(file: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StepError || error instanceof CopyRefusedError)) throw error;
      throw new MigrationFailedError(name, file, cluster.redact(error.message));
    }
  };
  const abandon = (attempt: Attempt, work: CutOffWork): Promise<Abandoned> => {
    return of(work.file, async () => {
      const { abandonCopy } = await import("./reindex/abandon.ts");
      return await abandonCopy(cluster, attempt, work);
    });
  };
  const agreed: Agreed = new Map();
  const executeFile = async (migration: SearchMigration, work: Work): Promise<Applied> => {
    if (migration.kind === "index" && settings) {
      const { changeIndex } = await import("./reindex/change.ts");
      return await changeIndex({ cluster, connection: name, settings, migration, work });
    }
    const { attempt } = work.entry;
    const execution = new Execution(
      cluster,
      connection,
      environment,
      migration,
      work,
      agreed.get(migration.file.path),
    );
    if (!attempt?.resume) return await execution.run();
    // Live indices are not to be changed any more.
    const { leftBehind } = await abandon(attempt, {
      ...work,
      file: migration.file.path,
      save: (resume) => work.progress({ resume }),
    });
    return await execution.run().then(
      (applied) => ({ ...applied, ...(leftBehind && { leftBehind }) }),
      (error) => {
        if (!(error instanceof ExecutionError)) throw error;
        throw new ExecutionError(error.cause, error.effect, {
          ...error,
          undone: true,
          ...(leftBehind && { leftBehind }),
        });
      },
    );
  };
  const mask = (text: string) => cluster.redact(text);
  return {
    ...classifierOf(connection),
    execute: async (migration, work) => {
      const applied = await executeFile(migration, work);
      const { note } = applied;
      return { ...applied, ...(note !== undefined && { note: cluster.redact(note) }) };
    },
    dangers: (migrations, { isRun = false } = {}) =>
      dangersOf(cluster, connection, migrations, isRun ? agreed : undefined),
    explain,
    preview: async (migration, previous): Promise<Preview> => {
      if (migration.kind !== "index" || !settings) {
        const preview = await previewOf(cluster, migration, previous);
        if (!isPolicy(migration.request)) return masked(preview, mask);
        const { policyPreview } = await import("./policies/prediction_notes.ts");
        const { requests, consequences } = await policyPreview(
          cluster,
          migration.request,
          policyChanges,
        );
        const all = [...preview.requests, ...requests];
        return masked({ ...preview, requests: all, consequences }, mask);
      }
      const { previewIndex } = await import("./reindex/preview.ts");
      const { path } = migration.file;
      return masked(await of(path, () => previewIndex(cluster, migration, settings)), mask);
    },
    abandon,
    unblockWrites: (attempt, work) =>
      of(work.file, async () => {
        const { relieveWriters } = await import("./reindex/abandon.ts");
        await relieveWriters(cluster, attempt, work);
      }),
    leftovers: async (entries) => {
      const { oldIndices } = await import("./reindex/prune.ts");
      return await of(entries[0]?.path ?? "", () => oldIndices(cluster, entries));
    },
    prune: async (leftover, work) => {
      const { pruneIndex } = await import("./reindex/prune.ts");
      return await of(leftover.file, () => pruneIndex(cluster, leftover, work));
    },
    pull: async (which, migrations) => {
      const { pullCluster } = await import("./transfer/pull/pull.ts");
      return await pullCluster({ cluster, connection, migrations }, which);
    },
    drift: async (migrations, recorded): Promise<readonly Drift[]> => {
      const drifts = await driftOf(cluster, migrations, recorded);
      return drifts.map((drift) => masked(drift, mask));
    },
  };
}

function explain({ known, task, resume }: Attempt): string {
  const copy = copyStateOf(resume);
  if (copy) return describeCopy(copy);
  if (known !== undefined) return known;
  if (task !== undefined) {
    return `its work may go on in the background of the cluster, as task '${task}'`;
  }
  return "it was interrupted, and it is unknown whether it was applied";
}
