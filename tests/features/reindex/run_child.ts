import type { ReindexSettings } from "../../../src/features/reindex/settings.ts";
import { doJob, type Job, spawnRun } from "../../migrations/search/run_child.ts";
import { reindexing } from "./support.ts";

/** Copies live indices in a process of its own. */
export interface ReindexJob extends Job {
  /** Absent where it does not copy. */
  readonly reindex?: ReindexSettings;
}

/** Starts such a run, to be killed, frozen or asked to end. */
export function spawnReindex(job: ReindexJob): Deno.ChildProcess {
  return spawnRun(job, import.meta.url);
}

if (import.meta.main) {
  await doJob<ReindexJob>((connection, { reindex }) =>
    reindex ? reindexing(connection, reindex) : connection
  );
}
