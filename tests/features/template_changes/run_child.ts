import { doJob, type Job, spawnRun } from "../../migrations/search/run_child.ts";
import { rolling } from "./support.ts";

/** Starts a run in a process of its own that rolls over what a changed template reaches, to be killed. */
export function spawnRollovers(job: Job): Deno.ChildProcess {
  return spawnRun(job, import.meta.url);
}

if (import.meta.main) await doJob((connection) => rolling(connection));
