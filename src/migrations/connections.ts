import { resolve } from "@std/path";
import { discover, type MigrationFile, type Target } from "./runner/mod.ts";
import { type MigrationType, type TargetOptions, targetsOf } from "./targets.ts";

/** What the commands on the connections of a configuration need to know. */
export interface ConnectionsOptions extends TargetOptions {
  /** Folder that holds a folder of files for each connection; relative to the working directory. */
  readonly sqlPath: string;
}

/** An enabled connection and the files in its folder, in order. */
export interface Connection {
  /** What its files are applied to. */
  readonly target: Target;
  /** In the order in which they run. */
  readonly files: readonly MigrationFile[];
}

/**
 * The enabled connections of a configuration with their files, in the order of the configuration. Sends nothing.
 *
 * @throws {ConfigError} when a connection is wrong, or none has the name that is asked for
 * @throws {MissingFolderError} when a connection has no folder
 * @throws {InvalidFilesError} for links that leave a folder and for paths that differ in case only
 */
export async function connectionsOf(
  type: MigrationType,
  options: ConnectionsOptions,
): Promise<readonly Connection[]> {
  const { runtime, sqlPath, onEvent } = options;
  const root = resolve(runtime.cwd(), sqlPath);
  return await Promise.all(
    targetsOf(type, options).map(async (target) => {
      const { connection, extension } = target;
      const { files, ignored } = await discover(runtime.files, root, connection, extension);
      for (const file of ignored) onEvent?.({ type: "ignored", connection, file });
      return { target, files };
    }),
  );
}
