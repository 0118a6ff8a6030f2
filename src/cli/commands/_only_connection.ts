import { loadConfig } from "../../config/load.ts";
import { listKey, type MigrationType, targetsOf } from "../../migrations/commands.ts";
import type { Runtime } from "../../runtime/mod.ts";
import { UsageError } from "../errors.ts";
import type { GlobalOptions } from "../types.ts";
import { MIGRATION_FEATURES } from "./_context.ts";

export async function onlyConnection(
  runtime: Runtime,
  type: MigrationType,
  options: GlobalOptions,
): Promise<string> {
  const config = await loadConfig({ runtime, directory: options.config, only: [listKey(type)] });
  const { only: _, ...rest } = options;
  const targets = await targetsOf(type, { ...rest, config, runtime, features: MIGRATION_FEATURES });
  const [target] = targets;
  if (target !== undefined && targets.length === 1) return target.connection;
  const names = targets.map(({ connection }) => `'${connection}'`).join(", ") || "none is enabled";
  throw new UsageError(`Expected '--connection' to select one connection: ${names}`);
}
