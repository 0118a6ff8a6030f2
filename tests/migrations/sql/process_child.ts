import type { Datasource } from "../../../src/migrations/sql/mod.ts";
import { Secret } from "../../../src/migrations/sql/connect/secret.ts";
import { adopt } from "../../../src/features/adopt/adopt.ts";
import { baseline } from "../../../src/migrations/runner/mod.ts";
import { inSession, migrated } from "./support.ts";

/** The arguments of {@linkcode spawnRun}. */
export interface Job {
  readonly datasource: Omit<Datasource, "password"> & { readonly password?: string };
  readonly tree: Readonly<Record<string, string>>;
  /** The command that the process runs. @default "migrate" */
  readonly command?: "migrate" | "adopt" | "baseline";
}

/** Starts a run in a process of its own. */
export function spawnRun(
  { password, ...rest }: Datasource,
  tree: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = {},
  command: Job["command"] = "migrate",
): Deno.ChildProcess {
  const job: Job = {
    datasource: { ...rest, ...(password && { password: password.reveal() }) },
    tree,
    command,
  };
  const args = ["run", "-A", "--no-check", import.meta.filename ?? ""];
  const options = {
    args,
    env,
    stdin: "piped",
    stdout: command === "migrate" ? "null" : "piped",
    stderr: "piped",
  } as const;
  const child = new Deno.Command(Deno.execPath(), options).spawn();
  // It may be killed before it has read all of it.
  new Response(JSON.stringify(job)).body!.pipeTo(child.stdin).catch(() => {});
  return child;
}

if (import.meta.main) {
  const at = Number(Deno.env.get("KILL_AT"));
  if (at > 0) await killAtCall(at, Deno.env.get("KILL_WHEN") === "before");
  const { datasource: { password, ...rest }, tree, command }: Job = await new Response(
    Deno.stdin.readable,
  ).json();
  const datasource = {
    ...rest,
    ...(password !== undefined && { password: new Secret(password) }),
  };
  if (command === "adopt" || command === "baseline") {
    await inSession(datasource, async (session, files) => {
      console.log("begun");
      await (command === "adopt" ? adopt(session, files) : baseline(session, files));
    }, tree);
  } else await migrated(datasource, tree, { lockTimeoutMs: 60_000 }, { yes: true });
}

/** Kills this process at its n-th call of SQLite. */
async function killAtCall(at: number, before: boolean): Promise<void> {
  const { DatabaseSync, StatementSync } = await import("node:sqlite");
  let calls = 0;
  const counted = <A extends unknown[], R>(call: (this: never, ...args: A) => R) =>
    function (this: never, ...args: A): R {
      const isLast = ++calls === at;
      if (isLast && before) Deno.kill(Deno.pid, "SIGKILL");
      const result = call.apply(this, args);
      if (isLast) Deno.kill(Deno.pid, "SIGKILL");
      return result;
    };
  const { exec } = DatabaseSync.prototype;
  DatabaseSync.prototype.exec = counted(exec);
  for (const name of ["run", "all", "get"] as const) {
    const method = StatementSync.prototype[name] as (...args: unknown[]) => unknown;
    Object.assign(StatementSync.prototype, { [name]: counted(method) });
  }
}
