import type { PolicyChanges } from "../../../src/features/policy_effects/managed.ts";
import { doJob, type Job, spawnRun } from "../../migrations/search/run_child.ts";
import { policies } from "./support.ts";

/** Applies changed policies in a process of its own. */
export interface PolicyJob extends Job {
  readonly policyChanges: PolicyChanges;
}

/** Starts such a run, to be killed. */
export function spawnPolicies(job: PolicyJob): Deno.ChildProcess {
  return spawnRun(job, import.meta.url);
}

if (import.meta.main) {
  await doJob<PolicyJob>((connection, { policyChanges }) => policies(connection, policyChanges));
}
