import type { Datasource } from "../../src/sql/mod.ts";
import { Secret } from "../../src/sql/secret.ts";
import { migrated } from "./support.ts";

/** What {@linkcode spawnRun} hands over. */
export interface Job {
  readonly datasource: Omit<Datasource, "password"> & { readonly password?: string };
  readonly tree: Readonly<Record<string, string>>;
}

/** Starts a run in a process of its own. */
export function spawnRun(
  { password, ...rest }: Datasource,
  tree: Readonly<Record<string, string>>,
): Deno.ChildProcess {
  const job: Job = {
    datasource: { ...rest, ...(password && { password: password.reveal() }) },
    tree,
  };
  const args = ["run", "-A", "--no-check", import.meta.filename ?? ""];
  const options = {
    args,
    env: { JOB: JSON.stringify(job) },
    stdout: "null",
    stderr: "piped",
  } as const;
  return new Deno.Command(Deno.execPath(), options).spawn();
}

if (import.meta.main) {
  const { datasource: { password, ...rest }, tree }: Job = JSON.parse(Deno.env.get("JOB") ?? "");
  await migrated(
    { ...rest, ...(password !== undefined && { password: new Secret(password) }) },
    tree,
  );
}
