import {
  type Abandoned,
  type Applied,
  type AppliedStep,
  type Attempt,
  type CutOffWork,
  ExecutionError,
  MigrationFailedError,
  type Offering,
  type Preview,
} from "../../migrations/runner/mod.ts";
import type { Cluster } from "../../migrations/search/cluster/cluster.ts";
import { masked } from "../../migrations/search/compare/masking.ts";
import { CLUSTER, SEARCH } from "../../migrations/search/offers.ts";
import type { SearchMigration } from "../../migrations/search/types.ts";
import { abandonCopy, unblockWrites } from "./abandon.ts";
import { IndexChange } from "./change.ts";
import { CopyRefusedError, StepError } from "./expect.ts";
import type { ReindexSettings } from "./settings.ts";
import { previewIndex } from "./preview.ts";

function sessionOf(holder: Offering) {
  const [cluster, search] = [CLUSTER.of(holder), SEARCH.of(holder)];
  if (!cluster || !search) throw new Error("Live indices belong to a search cluster");
  return { cluster, connection: search.connection.name };
}

/** Errors of a step, as errors of the file that it is of. */
export async function ofFile<T>(
  holder: Offering,
  file: string,
  work: (cluster: Cluster) => Promise<T>,
): Promise<T> {
  const { cluster, connection } = sessionOf(holder);
  try {
    return await work(cluster);
  } catch (error) {
    if (!(error instanceof StepError || error instanceof CopyRefusedError)) throw error;
    throw new MigrationFailedError(connection, file, cluster.redact(error.message));
  }
}

export async function previewOf(
  holder: Offering,
  migration: SearchMigration,
  settings: ReindexSettings,
): Promise<Preview> {
  return await ofFile(holder, migration.file.path, async (cluster) => {
    const preview = await previewIndex(cluster, migration, settings);
    return masked(preview, (text) => cluster.redact(text));
  });
}

export async function changeIndex(
  step: AppliedStep,
  migration: SearchMigration,
  settings: ReindexSettings,
): Promise<Applied> {
  const { cluster, connection } = sessionOf(step);
  const change = new IndexChange(cluster, connection, settings, migration, step.work);
  const { note, ...applied } = await change.run();
  return { ...applied, ...(note !== undefined && { note: cluster.redact(note) }) };
}

/** Gives up the copy of an earlier run, and applies the file as it is applied without this feature. */
export async function applyInstead(
  { migration, work, offers }: AppliedStep,
  attempt: Attempt,
  next: () => Promise<Applied>,
): Promise<Applied> {
  const { path: file } = migration.file;
  const save = (resume: NonNullable<Attempt["resume"]>) => work.progress({ resume });
  const { leftBehind } = await abandon(attempt, { ...work, offers, file, save });
  const left = leftBehind && { leftBehind };
  return await next().then(
    (applied) => ({ ...applied, ...left }),
    (error) => {
      if (!(error instanceof ExecutionError)) throw error;
      throw new ExecutionError(error.cause, error.effect, { ...error, undone: true, ...left });
    },
  );
}

export async function abandon(attempt: Attempt, work: CutOffWork): Promise<Abandoned> {
  return await ofFile(work, work.file, (cluster) => abandonCopy(cluster, attempt, work));
}

export async function release(attempt: Attempt, work: CutOffWork): Promise<void> {
  await ofFile(work, work.file, (cluster) => unblockWrites(cluster, attempt, work));
}
