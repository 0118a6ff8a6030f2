import { FileExistsError, FileNotFoundError, FileWriteError } from "../errors.ts";
import { basename, dirname, join } from "../path.ts";
import type { FileInfo, FileSystem } from "../types.ts";
import { type FolderEntry, walkFiles } from "./walk.ts";

/** The functions that files are built on: Deno has them in this form. Errors have the codes of Node. */
export interface SystemFiles {
  readFile(path: string): Promise<Uint8Array<ArrayBuffer>>;
  writeTextFile(path: string, text: string): Promise<void>;
  open(path: string): Promise<{ readonly readable: AsyncIterable<Uint8Array<ArrayBuffer>> }>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  chmod(path: string, mode: number): Promise<void>;
  /** Asked of each migration, where the way to another thread and back takes ten times as long. */
  statSync(path: string): FileInfo & { readonly mode: number | null };
  lstat(path: string): Promise<unknown>;
  readDir(path: string): AsyncIterable<FolderEntry>;
  realPath(path: string): Promise<string>;
  mkdir(path: string, options: { readonly recursive: true }): Promise<void>;
}

export function fileSystem(system: SystemFiles): FileSystem {
  async function* entries(path: string): AsyncIterable<FolderEntry> {
    try {
      yield* system.readDir(path);
    } catch (error) {
      notFound(path)(error);
    }
  }
  const files: FileSystem = {
    readFile: (path) => system.readFile(path).catch(notFound(path)),
    readTextFile: async (path) => new TextDecoder().decode(await files.readFile(path)),
    writeTextFile: (path, text, { overwrite = false } = {}) => {
      return writeWhole(path, text, overwrite, system, files);
    },
    makeFolder: (path) => system.mkdir(path, { recursive: true }),
    // deno-lint-ignore require-await -- a throw has to become a rejection
    stat: async (path) => {
      try {
        const { isFile, isDirectory, size } = system.statSync(path);
        return { isFile, isDirectory, size };
      } catch (error) {
        return undefinedIfMissing(error);
      }
    },
    async *readChunks(path) {
      const { readable } = await system.open(path).catch(notFound(path));
      yield* readable;
    },
    walk: (root, options) => walkFiles(root, entries, files, options),
    list: async (path) => (await Array.fromAsync(entries(path), ({ name }) => name)).sort(),
    realPath: (path) => system.realPath(path).catch(notFound(path)),
  };
  return files;
}

/**
 * Writes a file that is whole or not there, also where the process is killed meanwhile: what is left of that has a name that
 * no folder of migrations shows, and goes with the next time. Who makes the same file at the same moment is not seen.
 * A device or a pipe, such as `/dev/stdout`, is written to and not replaced.
 */
async function writeWhole(
  path: string,
  text: string,
  overwrite: boolean,
  system: SystemFiles,
  files: FileSystem,
): Promise<void> {
  const fail = (cause: Error): never => {
    throw new FileWriteError(`Cannot write '${path}': ${cause.message}`, { cause });
  };
  const folder = await files.stat(dirname(path)).catch(fail);
  if (!folder?.isDirectory) await system.mkdir(dirname(path), { recursive: true }).catch(fail);
  const isThere = await system.lstat(path).then(() => true, undefinedIfMissing);
  if (isThere && !overwrite) throw new FileExistsError(path);
  const found = isThere && await files.stat(path).catch(() => undefined);
  if (found && !found.isFile && !found.isDirectory) {
    return await system.writeTextFile(path, text).catch(fail);
  }
  const target = isThere ? await system.realPath(path).catch(() => path) : path;
  const part = join(dirname(target), `.${basename(target)}.part`);
  try {
    await system.writeTextFile(part, text);
    // Windows has no permissions.
    const mode = found && system.statSync(target).mode;
    if (mode) await system.chmod(part, mode & 0o7777);
    await system.rename(part, target);
  } catch (error) {
    await system.remove(part).catch(() => {});
    fail(error as Error);
  }
}

function undefinedIfMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}

function notFound(path: string): (error: unknown) => never {
  return (cause) => {
    throw isMissing(cause) ? new FileNotFoundError(path, { cause }) : cause;
  };
}

function isMissing(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR"].includes(Object(error).code);
}
