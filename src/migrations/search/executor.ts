import {
  type Applied,
  type Attempt,
  type Copies,
  ExecutionError,
  type Executor,
  type LiveResources,
  MigrationFailedError,
  type MigrationRecord,
  type Preview,
  type Work,
} from "../runner/mod.ts";
import { Execution } from "./apply/execution.ts";
import { classifierOf } from "./classifier.ts";
import { isDeletion } from "./cluster/request.ts";
import type { Cluster } from "./cluster/cluster.ts";
import { driftOf, previewOf } from "../../features/drift/inspect.ts";
import { masked } from "./compare/masking.ts";
import { dangersOf } from "./guards/dangers.ts";
import { type Confirmed, isPolicy } from "../../features/policy_effects/managed.ts";
import { copyStateOf, describeCopy } from "../../features/reindex/copy_state.ts";
import { CopyRefusedError, StepError } from "../../features/reindex/expect.ts";
import type { SearchConnection, SearchEnvironment, SearchMigration } from "./types.ts";

export function searchExecutor(
  cluster: Cluster,
  connection: SearchConnection,
  environment: SearchEnvironment,
): Executor<SearchMigration> {
  const confirmed: Confirmed = new Map();
  const copies = copiesOf(cluster, connection);
  const executeFile = async (migration: SearchMigration, work: Work): Promise<Applied> => {
    const { name, reindex: settings } = connection;
    if (migration.kind === "index" && settings) {
      const { IndexChange } = await import("../../features/reindex/change.ts");
      return await new IndexChange({ cluster, connection: name, settings, migration, work }).run();
    }
    const { path } = migration.file;
    const deletions = confirmed.get(path);
    const execution = new Execution(cluster, connection, environment, migration, work, deletions);
    const { attempt } = work.entry;
    if (!attempt?.resume) return await execution.run();
    // The configuration no longer allows changes of live indices.
    const save = (resume: NonNullable<Attempt["resume"]>) => work.progress({ resume });
    const { leftBehind } = await copies.abandon(attempt, { ...work, file: path, save });
    const left = leftBehind && { leftBehind };
    return await execution.run().then(
      (applied) => ({ ...applied, ...left }),
      (error) => {
        if (!(error instanceof ExecutionError)) throw error;
        throw new ExecutionError(error.cause, error.effect, { ...error, undone: true, ...left });
      },
    );
  };
  return {
    ...classifierOf(connection),
    execute: async (migration, work) => {
      const applied = await executeFile(migration, work);
      const { note } = applied;
      return { ...applied, ...(note !== undefined && { note: cluster.redact(note) }) };
    },
    dangers: (migrations, { isRun = false } = {}) =>
      dangersOf(cluster, connection, migrations, isRun ? confirmed : undefined),
    explain,
    preview: (migration, previous) => previewFile(cluster, connection, migration, previous),
    copies,
    live: liveOf(cluster, connection),
  };
}

async function failingFile<T>(
  cluster: Cluster,
  { name }: SearchConnection,
  file: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StepError || error instanceof CopyRefusedError)) throw error;
    throw new MigrationFailedError(name, file, cluster.redact(error.message));
  }
}

function copiesOf(cluster: Cluster, connection: SearchConnection): Copies {
  type CutOff = typeof import("../../features/reindex/abandon.ts");
  const of = <T>(file: string, work: (copies: CutOff) => Promise<T>) =>
    failingFile(
      cluster,
      connection,
      file,
      async () => work(await import("../../features/reindex/abandon.ts")),
    );
  return {
    abandon: (attempt, work) => of(work.file, (own) => own.abandonCopy(cluster, attempt, work)),
    unblockWrites: (attempt, work) =>
      of(work.file, (own) => own.unblockWrites(cluster, attempt, work)),
    leftovers: (entries) => of(entries[0]?.path ?? "", (own) => own.oldIndices(cluster, entries)),
    prune: (leftover, work) => of(leftover.file, (own) => own.pruneIndex(cluster, leftover, work)),
  };
}

const DELETES = "this request deletes, and 'migrate' sends it without asking for '--yes'";

async function previewFile(
  cluster: Cluster,
  connection: SearchConnection,
  migration: SearchMigration,
  previous?: MigrationRecord,
): Promise<Preview> {
  const { kind, file, request } = migration;
  const { reindex: settings, policyChanges = "keep" } = connection;
  const mask = (text: string) => cluster.redact(text);
  if (kind === "index" && settings) {
    const { previewIndex } = await import("../../features/reindex/preview.ts");
    const look = () => previewIndex(cluster, migration, settings);
    return masked(await failingFile(cluster, connection, file.path, look), mask);
  }
  const preview = await previewOf(cluster, migration, previous);
  if (!isPolicy(request)) {
    const deletes = isDeletion(request) && { consequences: [DELETES] };
    return masked({ ...preview, ...deletes }, mask);
  }
  const { policyPreview } = await import("../../features/policy_effects/prediction_notes.ts");
  const { requests, consequences } = await policyPreview(cluster, request, policyChanges);
  const all = [...preview.requests, ...requests];
  return masked({ ...preview, requests: all, consequences }, mask);
}

function liveOf(cluster: Cluster, connection: SearchConnection): LiveResources<SearchMigration> {
  return {
    drift: async (migrations, recorded) => {
      const drifts = await driftOf(cluster, migrations, recorded);
      return drifts.map((drift) => masked(drift, (text) => cluster.redact(text)));
    },
    pull: async (which, migrations) => {
      const { pullCluster } = await import("../../features/pull/pull.ts");
      return await pullCluster({ cluster, connection, migrations }, which);
    },
  };
}

function explain({ known, task, resume }: Attempt): string {
  const copy = copyStateOf(resume);
  if (copy) return describeCopy(copy);
  if (known !== undefined) return known;
  return task === undefined
    ? "it was interrupted, and it is unknown whether it was applied"
    : `its work may continue in the background of the cluster, as task '${task}'`;
}
