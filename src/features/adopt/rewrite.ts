import { join } from "../../runtime/path.ts";
import {
  connectionsOf,
  type ConnectionsOptions,
  type Finding,
  folderOf,
  type MigrationType,
} from "../../migrations/connections.ts";
import { type CommandOptions, withEach } from "../../migrations/commands.ts";
import {
  discover,
  type FileProblem,
  InvalidFilesError,
  type MigrationFile,
  problemsIn,
  type Session,
  type Target,
  type TargetPart,
} from "../../migrations/runner/mod.ts";
import { SQL } from "../../migrations/sql/offers.ts";
import { ConfigError } from "../../config/mod.ts";
import { unappliedFiles } from "../wrangler/feature.ts";
import type { FileWrite, ForeignFiles } from "./http_files.ts";
import { adopt, type Adoption, type AdoptOptions } from "./adopt.ts";

async function foreignFilesOf(target: Target): Promise<ForeignFiles> {
  const sql = SQL.of(target);
  if (sql === undefined) return (await import("./http_files.ts")).HTTP_FILES;
  return (await import("./sql_files.ts")).foreignSqlFiles(sql.datasource);
}

export async function adoptMigrations(
  type: MigrationType,
  which: Omit<AdoptOptions, "originals">,
  options: CommandOptions,
): Promise<readonly Finding<Adoption | Error>[]> {
  const { apply = [], skip = [], changed = [] } = which;
  const connections = await connectionsOf(type, options);
  const paths = new Set(connections.flatMap(({ files }) => files.map(({ path }) => path)));
  const unknown = [...apply, ...skip, ...changed].find((path) => !paths.has(path));
  if (unknown !== undefined && connections.length > 0) {
    throw new ConfigError(`No enabled connection has a file '${unknown}'`);
  }
  const take = async (session: Session, { target, files }: TargetPart) => {
    const problems = await unappliedFiles(target, files.map(({ path }) => path));
    if (problems.length > 0) throw new InvalidFilesError(problems, target.connection);
    const { extension } = await foreignFilesOf(target);
    const originals = extension === target.extension
      ? []
      : await filesWith(extension, target, options);
    return await adopt(session, files, { ...which, originals }, options.signal);
  };
  return await withEach(connections, options, take);
}

/** Keeps down sections beside the files. Sends nothing. @throws {InvalidFilesError} */
export async function rewriteMigrations(
  type: MigrationType,
  options: ConnectionsOptions,
): Promise<readonly Finding<readonly string[]>[]> {
  const findings: Finding<readonly string[]>[] = [];
  for (const { target } of await connectionsOf(type, options)) {
    const { connection } = target;
    const folder = await folderOf(target, options);
    const foreign = await foreignFilesOf(target);
    const writes: FileWrite[] = [];
    const problems: FileProblem[] = [];
    for (const file of await filesWith(foreign.extension, target, options)) {
      try {
        const { path } = file;
        const wanted = foreign.rewrite({ path, bytes: await file.read() });
        writes.push(...await unwritten(file, wanted, folder, options));
      } catch (error) {
        problems.push(...problemsIn(error));
      }
    }
    if (problems.length > 0) throw new InvalidFilesError(problems, connection);
    for (const { path, text } of writes) {
      const location = join(folder, path);
      await options.runtime.files.writeTextFile(location, text, { overwrite: true });
    }
    findings.push({ connection, found: writes.map(({ path }) => path) });
  }
  return findings;
}

/** The files that a rewrite has yet to write; the file itself comes last, so that nothing of it is lost. */
async function unwritten(
  file: MigrationFile,
  wanted: readonly FileWrite[],
  folder: string,
  { runtime: { files } }: ConnectionsOptions,
): Promise<readonly FileWrite[]> {
  const others: FileWrite[] = [];
  for (const write of wanted.filter(({ path }) => path !== file.path)) {
    const location = join(folder, write.path);
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

async function filesWith(
  extension: string,
  target: Target,
  options: ConnectionsOptions,
): Promise<readonly MigrationFile[]> {
  const folder = await folderOf(target, options);
  return (await discover(options.runtime.files, folder, target.connection, extension)).files;
}
