import { loadConfig } from "../../config/load.ts";
import type { ConnectionsOptions, MigrationType, RunEvent } from "../../migrations/mod.ts";
import type { Runtime } from "../../runtime/mod.ts";
import type { GlobalOptions } from "../types.ts";

/** Loads the configuration and gives what every command passes on. */
export async function connectionsFor(
  runtime: Runtime,
  options: GlobalOptions,
  onEvent: (event: RunEvent) => void,
): Promise<ConnectionsOptions> {
  const { config, sqlPath, connection, lockTimeout, wait } = options;
  return {
    config: await loadConfig({ runtime, directory: config }),
    runtime,
    sqlPath,
    onEvent,
    ...(connection !== undefined && { connection }),
    ...(lockTimeout !== undefined && { lockTimeoutMs: lockTimeout * 1000 }),
    ...(wait !== undefined && { waitMs: wait * 1000 }),
  };
}

/** Prints the one document of `--json`. */
export function printJson(
  runtime: Runtime,
  { json }: Pick<GlobalOptions, "json">,
  document: unknown,
): void {
  if (json) runtime.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
}

/** The sentence for a configuration without anything to do. */
export function nothingEnabled(type: MigrationType): string {
  const list = type === "search" ? "search" : "datasource";
  return `Nothing to do: no connection under '${list}' has 'migrations.enabled: true'`;
}
