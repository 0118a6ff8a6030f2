import { inParallel } from "./in_parallel.ts";
import { join, relative } from "../../runtime/path.ts";
import type { FileSystem, WalkedFile } from "../../runtime/mod.ts";
import { hexDigest } from "../../text/mod.ts";
import { InvalidFilesError, MissingFolderError, ofConnection } from "./errors.ts";
import { sha256OfChunks } from "./hash.ts";
import {
  compareCodePoints,
  inListedOrder,
  isList,
  listedFolder,
  type Listing,
  listingsIn,
} from "./order.ts";
import type { FileProblem, PlanNotice } from "./results.ts";
import type { MigrationFile } from "./types.ts";
import { versionOf } from "./versions.ts";

interface Discovery {
  readonly files: readonly MigrationFile[];
  readonly ignored: readonly string[];
  /** Notices about files that look like migrations, and are none. */
  readonly notices: readonly PlanNotice[];
}

const AT_ONCE = 16;
const WHOLE = 1 << 20;
/** How many bytes of a file, and of all, are kept until they are classified. */
const KEPT = { each: 64 << 10, all: 4 << 20 };

/** Keeps the content of small files until it is read. @throws {MissingFolderError | InvalidFilesError} */
export async function discover(
  files: FileSystem,
  folder: string,
  connection: string,
  extension: string,
): Promise<Discovery> {
  if (!(await files.stat(folder))?.isDirectory) throw new MissingFolderError(connection, folder);
  return await discoverIn(files, folder, extension).catch(ofConnection(connection));
}

async function discoverIn(files: FileSystem, folder: string, extension: string) {
  const found: WalkedFile[] = [];
  const ignored: string[] = [];
  const skip = (path: string) => isHidden(path) && ignored.push(`${path}/`) > 0;
  for (const file of await Array.fromAsync(files.walk(folder, { skip })).catch(unreadable("."))) {
    const isMigration = file.relative.toLowerCase().endsWith(extension) && !isHidden(file.relative);
    if (isMigration) found.push(file);
    else ignored.push(file.relative);
  }
  for (const path of downsOf(found.map(({ relative }) => relative))) {
    ignored.push(path);
    found.splice(found.findIndex(({ relative }) => relative === path), 1);
  }
  found.sort((a, b) => compareCodePoints(a.relative, b.relative));
  ignored.sort(compareCodePoints);

  const paths = found.map(({ relative }) => relative);
  const lists = await readLists(files, folder, { paths, ignored });
  const problems = [
    ...found.flatMap(unfit),
    ...twins(paths),
    ...await strayLinks(files, folder, found),
    ...lists.problems,
  ];
  if (problems.length > 0) throw new InvalidFilesError(problems);
  const { listings, left, notices } = lists;
  const hashed = await hashAll(files, found.filter(({ relative }) => !left.has(relative)));
  if (listings.size === 0) return { files: hashed, ignored, notices };
  const listed = hashed.map((file) => {
    const own = listings.get(file.path);
    return own ? { ...file, listed: own } : file;
  });
  return { files: inListedOrder(listed), ignored, notices };
}

/** Whether another tool runs a file only to take something back: `1_init.down.sql`, `down.sql`, Flyway's `U1__init.sql`. */
export function isDownFile(path: string): boolean {
  return /(?:^|[/.])down\.sql$/i.test(path) ||
    /(?:^|\/)U\d[\d._]*__[^/]*\.[sS][qQ][lL]$/.test(path);
}

/** Down migrations with the file that they take back: refinery's `U2__x.sql` is one that is applied. */
function downsOf(paths: readonly string[]): readonly string[] {
  const ups = new Set(paths.filter((path) => !isDownFile(path)).map(pairOf));
  return paths.filter((path) => isDownFile(path) && ups.has(pairOf(path)));
}

/** The name that both share: the version of golang-migrate, sqlx and Flyway in any files, or else the name or folder. */
function pairOf(path: string): string {
  const [, version] = /(?:^|\/)[UV](\d[\d._]*?)__[^/]*\.[sS][qQ][lL]$/.exec(path) ?? [];
  if (version !== undefined) return versionOf(version)?.join(".") ?? version;
  return path.replace(/(^|[/.])down\.sql$/i, "$1up.sql")
    .replace(/(^|\/)0*(\d+)_[^/]*\.up\.sql$/i, "$1$2.up.sql");
}

async function readLists(
  files: FileSystem,
  folder: string,
  { paths, ignored }: { readonly paths: readonly string[]; readonly ignored: readonly string[] },
) {
  const problems: FileProblem[] = [];
  const listings = new Map<string, Listing>();
  const left = new Set<string>();
  const notices: { readonly file: string; readonly message: string }[] = [];
  const known = new Set(paths);
  const lists = ignored.filter(isList);
  for (const by of lists) {
    const own = listedFolder(by);
    const below = paths.filter((path) => path.startsWith(own));
    // Drizzle reads one folder: another list in it is that of another database.
    const outer = lists.find((other) => other !== by && own.startsWith(listedFolder(other)));
    if (outer !== undefined) {
      for (const path of below) left.add(path);
      const message = `Its folder is ignored, because it is in the folder of '${outer}'`;
      notices.push({ file: by, message });
      continue;
    }
    const text = await files.readTextFile(join(folder, by)).catch(unreadable(by));
    const found = listingsIn(text, by);
    if (found === undefined) {
      const before = /^(?:.*\n)*?(?=<{7})/.exec(text)?.[0];
      const place = before !== undefined && { line: before.split("\n").length, column: 1 };
      const message =
        "Expected the journal of Drizzle, JSON with a list 'entries', each with 'tag' and 'when'" +
        (place ? ", found a merge conflict" : "");
      problems.push({ severity: "error", path: by, message, ...place });
      continue;
    }
    for (const [path, listing] of found) {
      listings.set(path, listing);
      if (known.has(path)) continue;
      const message = `The file does not exist, and '${by}' names it`;
      problems.push({ severity: "error", path, message });
    }
    for (const path of below) {
      if (path.includes("/", own.length) || found.has(path)) continue;
      left.add(path);
      notices.push({ file: path, message: `It is ignored: '${by}' does not list it` });
    }
  }
  return { problems, listings, left, notices };
}

function isHidden(path: string): boolean {
  return /(?:^|\/)\.[^/]*$/.test(path);
}

function unfit({ relative: path, isFile, linked }: WalkedFile): FileProblem[] {
  const problem = (message: string): FileProblem[] => [{ severity: "error", path, message }];
  // deno-lint-ignore no-control-regex -- control characters are what it is about
  if (/[\u0000-\u001f\u007f]/.test(path)) return problem("The path has a control character");
  if (isFile) return [];
  return problem(
    linked
      ? "The symbolic link leads to no file"
      : "Expected a file, found a pipe, a socket or a device",
  );
}

/** Two paths that one file system tells apart and another does not. */
function twins(paths: readonly string[]): FileProblem[] {
  const alike = Map.groupBy(paths, (path) => path.normalize("NFC").toLowerCase());
  return [...alike.values()].flatMap(([twin = "", ...others]) => {
    return others.map((path): FileProblem => {
      const isForm = path.normalize("NFC") === twin.normalize("NFC");
      const what = isForm ? "the Unicode form of its letters (NFC, NFD)" : "case";
      const message = `The path differs from '${twin}' only in ${what}: rename one of the two`;
      return { severity: "error", path, message };
    });
  });
}

async function strayLinks(
  files: FileSystem,
  folder: string,
  found: readonly WalkedFile[],
): Promise<FileProblem[]> {
  const linked = found.filter(({ linked, isFile }) => linked && isFile);
  const home = await files.realPath(folder);
  const targets = await Promise.all(linked.map(({ path }) => files.realPath(path)));
  return linked.flatMap(({ relative: path }, i): FileProblem[] => {
    const [first] = relative(home, targets[i] ?? "").split(/[/\\]/);
    // On another drive the path stays absolute.
    if (first !== ".." && relative(home, targets[i] ?? "") !== targets[i]) return [];
    const message = "The symbolic link leaves the connection's folder: put the file itself there";
    return [{ severity: "error", path, message }];
  });
}

async function hashAll(
  files: FileSystem,
  found: readonly WalkedFile[],
): Promise<readonly MigrationFile[]> {
  const problems: FileProblem[] = [];
  let left = KEPT.all;
  const isKept = ({ length }: Uint8Array) => length <= KEPT.each && (left -= length) >= 0;
  const hashed = await inParallel(found, AT_ONCE, async ({ path: location, relative: path }) => {
    try {
      const { size = 0 } = await files.stat(location) ?? {};
      const bytes = size > WHOLE ? undefined : await files.readFile(location);
      const hash = await (bytes ? hexDigest(bytes) : sha256OfChunks(files.readChunks(location)));
      let kept = bytes && isKept(bytes) ? bytes : undefined;
      const read = async () => {
        const first = kept;
        kept = undefined;
        if (first) return first;
        const bytes = await files.readFile(location).catch(unreadable(path));
        if (await hexDigest(bytes) === hash) return bytes;
        const message = "The file was changed while the run began: run again";
        throw new InvalidFilesError([{ severity: "error", path, message }]);
      };
      return [{ path, location, hash, read }];
    } catch (error) {
      problems.push(unreadableProblem(path, error));
      return [];
    }
  });
  if (problems.length > 0) throw new InvalidFilesError(problems);
  return hashed.flat();
}

function unreadable(path: string): (error: unknown) => never {
  return (error) => {
    throw new InvalidFilesError([unreadableProblem(path, error)]);
  };
}

function unreadableProblem(path: string, error: unknown): FileProblem {
  const { code, message }: { code?: string; message?: string } = Object(error);
  const reason = REASONS[code ?? ""] ?? message ?? String(error);
  return { severity: "error", path, message: `Cannot read it: ${reason}` };
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  ELOOP: "its symbolic links go round in a circle",
  ENAMETOOLONG: "its name is too long",
  ENOENT: "it no longer exists",
  EMFILE: "too many files are open",
  EIO: "the disk failed",
};
