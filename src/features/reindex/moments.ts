import {
  type Applied,
  type AppliedStep,
  type Attempt,
  type CutOffWork,
  ExecutionError,
  type Migration,
  MigrationFailedError,
  type Offering,
  type Preview,
} from "../../migrations/runner/mod.ts";
import type { Cluster } from "../../migrations/search/cluster/cluster.ts";
import { masked } from "../../migrations/search/compare/masking.ts";
import { searchSessionOf } from "../../migrations/search/offers.ts";
import type { SearchMigration } from "../../migrations/search/types.ts";
import { takeOverCopy, undoCopy } from "./abandon.ts";
import { CopyRecord, copyStateOf } from "./copy_state.ts";
import { AnswerError } from "../live_indices/expect.ts";
import { CopyRefusedError } from "./expect.ts";
import { IndexPair } from "./pair.ts";
import type { ReindexSettings } from "./settings.ts";
import { previewIndex } from "./preview.ts";

/** Errors of a step, as errors of the file that it is of. */
export async function ofFile<T>(
  holder: Offering,
  file: string,
  work: (cluster: Cluster) => Promise<T>,
): Promise<T> {
  const { cluster, connection: { name } } = searchSessionOf(holder);
  try {
    return await work(cluster);
  } catch (error) {
    if (!(error instanceof AnswerError || error instanceof CopyRefusedError)) throw error;
    throw new MigrationFailedError(name, file, cluster.redact(error.message));
  }
}

export async function previewOf(
  step: Offering & { readonly earlier: readonly Migration[] },
  migration: SearchMigration,
  settings: ReindexSettings,
): Promise<Preview> {
  return await ofFile(step, migration.file.path, async (cluster) => {
    const preview = await previewIndex(cluster, migration, settings, step.earlier);
    return masked(preview, (text) => cluster.redact(text));
  });
}

/** Gives up the copy of an earlier run, and applies the file as it is applied without this feature. */
export async function applyInstead(
  { migration, work, offers }: AppliedStep,
  attempt: Attempt,
  next: () => Promise<Applied>,
): Promise<Applied> {
  const save: CutOffWork["save"] = (resume) => work.progress({ resume });
  const abandoned = await abandon(attempt, { ...work, offers, file: migration.file.path, save });
  if (abandoned === undefined) return await next();
  const { message: _, ...left } = abandoned;
  return await next().then(
    (applied) => ({ ...applied, ...left }),
    (error) => {
      if (!(error instanceof ExecutionError)) throw error;
      throw new ExecutionError(error.cause, error.effect, { ...error, undone: true, ...left });
    },
  );
}

/** Gives up a copy that was cut off: cancels its tasks, lifts a block of ours, deletes the new index. */
export async function abandon({ resume }: Attempt, work: CutOffWork) {
  const state = copyStateOf(resume);
  if (state === undefined) return undefined;
  const { from, to, name, step, backups } = state;
  return await ofFile(work, work.file, async (cluster) => {
    const pair = new IndexPair(cluster, work.ensureHeld);
    if (await pair.isSwitched(state)) {
      const leftBehind = from === name ? backups.slice(-1) : [from];
      return { message: `'${name}' is '${to}' already, and stays so`, leftBehind };
    }
    await undoCopy(pair, state);
    const writes = step === "block" ? ", and takes writes again" : "";
    return {
      message:
        `the copy of '${from}' was given up: '${to}' is deleted, '${name}' is as it was${writes}`,
    };
  });
}

/** Lets writers through whom a copy that was cut off keeps waiting; what else there is of it stays. */
export async function release({ resume }: Attempt, work: CutOffWork): Promise<void> {
  const state = copyStateOf(resume);
  if (state?.step !== "block") return;
  await ofFile(work, work.file, async (cluster) => {
    const pair = new IndexPair(cluster, work.ensureHeld);
    if (!await pair.isSwitched(state)) await takeOverCopy(pair, new CopyRecord(state, work.save));
  });
}
