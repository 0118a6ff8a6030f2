import { fromFileUrl } from "@std/path";
import type { PolicyChanges } from "../../../src/features/policy_effects/settings.ts";
import type { ReindexSettings } from "../../../src/features/reindex/settings.ts";
import { policies } from "../../features/policy_effects/support.ts";
import { reindexing } from "../../features/reindex/support.ts";
import { apply, connectionTo, type Tree } from "./runner.ts";

/** What a run in a process of its own does. */
export interface Job {
  readonly url: string;
  readonly tree: Tree;
  readonly name?: string;
  readonly leaseMs?: number;
  /** Milliseconds for one request. */
  readonly timeoutMs?: number;
  /** How it copies live indices; absent where it does not. */
  readonly reindex?: ReindexSettings;
  /** Whether changed policies reach their indices; absent where they do not. */
  readonly policyChanges?: PolicyChanges;
}

/** Starts a run in a process of its own, to be killed, frozen or asked to end. */
export function spawnRun(job: Job): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "--quiet", fromFileUrl(import.meta.url)],
    env: { JOB: JSON.stringify(job), NO_COLOR: "1" },
    stdout: "null",
    stderr: "piped",
  }).spawn();
}

if (import.meta.main) {
  const { url, tree, name = "logs", leaseMs, timeoutMs, reindex, policyChanges }: Job = JSON.parse(
    Deno.env.get("JOB")!,
  );
  // As the command line does it: the first signal ends the waiting, and the run gives its lock back.
  const stop = new AbortController();
  Deno.addSignalListener("SIGTERM", () => stop.abort(new Error("SIGTERM")));
  const plain = { ...connectionTo(url), name, ...(timeoutMs !== undefined && { timeoutMs }) };
  const copying = reindex ? reindexing(plain, reindex) : plain;
  const connection = policyChanges ? policies(copying, policyChanges) : copying;
  const { error } = await apply(connection, tree, {
    owner: `child-${Deno.pid}`,
    lockTimeoutMs: 60_000,
    signal: stop.signal,
    ...(leaseMs !== undefined && { leaseMs }),
  });
  if (error) {
    console.error(`${error.name}: ${error.message}`);
    Deno.exit(1);
  }
  // A listener would keep the process.
  Deno.exit(stop.signal.aborted ? 143 : 0);
}
