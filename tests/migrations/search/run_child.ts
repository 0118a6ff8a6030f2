import { fromFileUrl } from "@std/path";
import { apply, connectionTo, type Tree } from "./runner.ts";

/** What a run in a process of its own does. */
export interface Job {
  readonly url: string;
  readonly tree: Tree;
  readonly name?: string;
  readonly leaseMs?: number;
}

/** Starts a run in a process of its own, to be killed. */
export function spawnRun(job: Job): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "--quiet", fromFileUrl(import.meta.url)],
    env: { JOB: JSON.stringify(job) },
    stdout: "null",
    stderr: "piped",
  }).spawn();
}

if (import.meta.main) {
  const { url, tree, name = "logs", leaseMs }: Job = JSON.parse(Deno.env.get("JOB")!);
  const { error } = await apply({ ...connectionTo(url), name }, tree, {
    owner: `child-${Deno.pid}`,
    lockTimeoutMs: 60_000,
    ...(leaseMs !== undefined && { leaseMs }),
  });
  if (error) throw error;
}
