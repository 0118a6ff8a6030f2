import { FileExistsError, FileWriteError } from "../errors.ts";
import { basename, dirname, join } from "../path.ts";
import type { FileSystem } from "../types.ts";

export interface FileWriter
  extends Pick<FileSystem, "ensureDir" | "realPath" | "rename" | "remove" | "stat"> {
  isThere(path: string): Promise<boolean>;
  /** The permissions of what is there, links followed; `undefined` where nothing is, or the system has none. */
  modeOf(path: string): Promise<number | undefined>;
  write(path: string, text: string, mode?: number): Promise<void>;
}

/**
 * Writes a file that is whole or not there, also where the process is killed meanwhile: what is left of that has a name that
 * no folder of migrations shows, and goes with the next time. Who makes the same file at the same moment is not seen.
 * A device or a pipe, such as `/dev/stdout`, is written to and not replaced.
 */
export async function writeWhole(
  path: string,
  text: string,
  overwrite: boolean,
  writer: FileWriter,
): Promise<void> {
  const fail = (cause: Error): never => {
    throw new FileWriteError(`Cannot write '${path}': ${cause.message}`, { cause });
  };
  await writer.ensureDir(dirname(path)).catch(fail);
  const isThere = await writer.isThere(path);
  if (isThere && !overwrite) throw new FileExistsError(path);
  const found = isThere ? await writer.stat(path).catch(() => undefined) : undefined;
  if (found && !found.isFile && !found.isDirectory) {
    return await writer.write(path, text).catch(fail);
  }
  const target = isThere ? await writer.realPath(path).catch(() => path) : path;
  const part = join(dirname(target), `.${basename(target)}.part`);
  try {
    const mode = isThere ? await writer.modeOf(target) : undefined;
    await writer.write(part, text, mode === undefined ? undefined : mode & 0o7777);
    await writer.rename(part, target);
  } catch (error) {
    await writer.remove(part).catch(() => {});
    fail(error as Error);
  }
}
