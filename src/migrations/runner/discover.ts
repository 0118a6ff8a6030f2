import { join, relative } from "@std/path";
import type { FileSystem } from "../../runtime/mod.ts";
import { InvalidFilesError, MissingFolderError } from "./errors.ts";
import { sha256 } from "./hash.ts";
import { compareCodePoints } from "./order.ts";
import type { FileProblem, MigrationFile } from "./types.ts";

/** What lies in the folder of one connection. */
export interface Discovery {
  /** The migration files, in the order in which they run. */
  readonly files: readonly MigrationFile[];
  /** Paths that are no migrations: hidden, or of another extension. In order. */
  readonly ignored: readonly string[];
}

/**
 * Finds, reads and hashes the migration files of one connection: `<root>/<connection>/**`.
 *
 * @param extension such as `.json`, in lower case
 * @throws {MissingFolderError} when the connection has no folder
 * @throws {InvalidFilesError} for links that leave the folder and for paths that differ in case only
 */
export async function discover(
  files: FileSystem,
  root: string,
  connection: string,
  extension: string,
): Promise<Discovery> {
  const folder = join(root, connection);
  if (!(await files.stat(folder))?.isDirectory) throw new MissingFolderError(connection, folder);

  const paths: string[] = [];
  const ignored: string[] = [];
  const linked: string[] = [];
  for await (const found of files.walk(folder)) {
    const isOne = isMigration(found.relative, extension);
    (isOne ? paths : ignored).push(found.relative);
    if (isOne && found.linked) linked.push(found.relative);
  }
  paths.sort(compareCodePoints);
  ignored.sort(compareCodePoints);

  const problems = [...caseTwins(paths), ...await strayLinks(files, folder, linked)];
  if (problems.length > 0) throw new InvalidFilesError(problems);
  return { files: await readAll(files, folder, paths), ignored };
}

function isMigration(path: string, extension: string): boolean {
  return path.endsWith(extension) && !path.split("/").some((part) => part.startsWith("."));
}

/** Two paths that one file system tells apart and another does not. */
function caseTwins(paths: readonly string[]): FileProblem[] {
  const seen = new Map<string, string>();
  const problems: FileProblem[] = [];
  for (const path of paths) {
    const folded = path.normalize("NFC").toLowerCase();
    const twin = seen.get(folded);
    if (twin === undefined) seen.set(folded, path);
    else {
      const message = `The path differs from '${twin}' only in case: rename one of the two`;
      problems.push({ severity: "error", path, message });
    }
  }
  return problems;
}

async function strayLinks(
  files: FileSystem,
  folder: string,
  paths: readonly string[],
): Promise<FileProblem[]> {
  const home = await files.realPath(folder);
  const targets = await Promise.all(paths.map((path) => files.realPath(join(folder, path))));
  return paths.flatMap((path, i): FileProblem[] => {
    const below = relative(home, targets[i] ?? "");
    if (!below.startsWith("..") && below !== targets[i]) return [];
    const message = "The symbolic link leaves the connection's folder: put the file itself there";
    return [{ severity: "error", path, message }];
  });
}

function readAll(
  files: FileSystem,
  folder: string,
  paths: readonly string[],
): Promise<MigrationFile[]> {
  return Promise.all(paths.map(async (path) => {
    const location = join(folder, path);
    const bytes = await files.readFile(location);
    return { path, location, bytes, hash: await sha256(bytes) };
  }));
}
