import { resolve } from "../runtime/path.ts";
import {
  connectionsOf,
  type ConnectionsOptions,
  type Finding,
  locationOf,
  type MigrationType,
} from "./connections.ts";
import {
  discover,
  type FileProblem,
  type FileWrite,
  InvalidFilesError,
  type MigrationFile,
} from "./runner/mod.ts";

/** Keeps down sections beside the files. Sends nothing. @throws {InvalidFilesError} */
export async function rewriteMigrations(
  type: MigrationType,
  options: ConnectionsOptions,
): Promise<readonly Finding<readonly string[]>[]> {
  const findings: Finding<readonly string[]>[] = [];
  for (const { target } of await connectionsOf(type, options)) {
    const { connection } = target;
    const foreign = await target.foreignFiles?.();
    if (foreign === undefined) continue;
    const writes: FileWrite[] = [];
    const problems: FileProblem[] = [];
    for (const file of await filesWith(foreign.extension, connection, options)) {
      try {
        const { path } = file;
        const wanted = foreign.rewrite({ path, bytes: await file.read() });
        writes.push(...await unwritten(file, wanted, connection, options));
      } catch (error) {
        if (!(error instanceof InvalidFilesError)) throw error;
        problems.push(...error.problems);
      }
    }
    if (problems.length > 0) throw new InvalidFilesError(problems, connection);
    for (const { path, text } of writes) {
      const location = locationOf(connection, path, options);
      await options.runtime.files.writeTextFile(location, text, { overwrite: true });
    }
    findings.push({ connection, found: writes.map(({ path }) => path) });
  }
  return findings;
}

/** What of a rewritten file is still to be written; the file itself comes last, so that nothing of it is lost. */
async function unwritten(
  file: MigrationFile,
  wanted: readonly FileWrite[],
  connection: string,
  options: ConnectionsOptions,
): Promise<readonly FileWrite[]> {
  const { files } = options.runtime;
  const others: FileWrite[] = [];
  for (const write of wanted.filter(({ path }) => path !== file.path)) {
    const location = locationOf(connection, write.path, options);
    const isThere = await files.stat(location) !== undefined;
    if (isThere && wanted.length === 1) continue; // It was made before.
    if (isThere && await files.readTextFile(location) !== write.text) {
      const message = `Cannot keep a part of it in '${write.path}': there is such a file already`;
      throw new InvalidFilesError([{ severity: "error", path: file.path, message }]);
    }
    others.push(write);
  }
  return [...others, ...wanted.filter(({ path }) => path === file.path)];
}

export async function filesWith(
  extension: string,
  connection: string,
  { runtime, sqlPath }: ConnectionsOptions,
): Promise<readonly MigrationFile[]> {
  const root = resolve(runtime.cwd(), sqlPath);
  return (await discover(runtime.files, root, connection, extension)).files;
}
