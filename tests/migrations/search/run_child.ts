import { fromFileUrl } from "@std/path";
import type { SearchConnection } from "../../../src/migrations/search/mod.ts";
import { apply, connectionTo, type Tree } from "./runner.ts";

/** A run in a process of its own. */
export interface Job {
  readonly url: string;
  readonly tree: Tree;
  readonly name?: string;
  readonly leaseMs?: number;
  /** Milliseconds for one request. */
  readonly timeoutMs?: number;
}

/**
 * Starts a run in a process of its own, to be killed, frozen or asked to end.
 *
 * @param child the module that does the job
 */
export function spawnRun(job: Job, child: string = import.meta.url): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "--quiet", fromFileUrl(child)],
    env: { JOB: JSON.stringify(job), NO_COLOR: "1" },
    stdout: "null",
    stderr: "piped",
  }).spawn();
}

/**
 * Does the job that this process was started for.
 *
 * @param extended gives the connection what features are to do
 */
export async function doJob<J extends Job>(
  extended: (connection: SearchConnection, job: J) => SearchConnection = (connection) => connection,
): Promise<never> {
  const job: J = JSON.parse(Deno.env.get("JOB")!);
  const { url, tree, name = "logs", leaseMs, timeoutMs } = job;
  // As the command line does it: the first signal ends the waiting, and the run gives its lock back.
  const stop = new AbortController();
  Deno.addSignalListener("SIGTERM", () => stop.abort(new Error("SIGTERM")));
  const plain = { ...connectionTo(url), name, ...(timeoutMs !== undefined && { timeoutMs }) };
  const { error } = await apply(extended(plain, job), tree, {
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

if (import.meta.main) await doJob();
