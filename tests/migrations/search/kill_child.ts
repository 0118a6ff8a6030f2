/** A run in a process of its own, to be killed: `kill_child.ts <url of the cluster>`. */
import { connectionOf, FILES } from "./kill_files.ts";
import { apply } from "./runner.ts";

const { error } = await apply(connectionOf(Deno.args[0]!), FILES, {
  owner: `child-${Deno.pid}`,
  lockTimeoutMs: 60_000,
});
if (error) throw error;
