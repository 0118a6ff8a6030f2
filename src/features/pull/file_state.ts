import { FileNotFoundError, type Runtime } from "../../runtime/mod.ts";

export type FileState = "new" | "unchanged" | "differs";

/** @param location absolute path. @throws {Error} where a folder is in its place, or it may not be read */
export async function fileStateOf(
  location: string,
  text: string,
  { files }: Pick<Runtime, "files">,
): Promise<FileState> {
  try {
    return await files.readTextFile(location) === text ? "unchanged" : "differs";
  } catch (error) {
    if (error instanceof FileNotFoundError) return "new";
    if ((await files.stat(location))?.isDirectory) throw new Error(`'${location}' is a folder`);
    throw error;
  }
}

/** @returns all files; what was new or differed is `written`. */
export async function writeFiles<F extends { readonly text: string; readonly state: string }>(
  files: readonly F[],
  locationOf: (file: F) => string,
  runtime: Pick<Runtime, "files">,
  failure: (file: F, cause: unknown, done: number, total: number) => Error,
): Promise<readonly F[]> {
  const changed = files.filter(({ state }) => state === "new" || state === "differs");
  for (const [index, file] of changed.entries()) {
    const { text, state } = file;
    try {
      const overwrite = state === "differs";
      await runtime.files.writeTextFile(locationOf(file), text, { overwrite });
    } catch (error) {
      throw failure(file, error, index, changed.length);
    }
  }
  return files.map((file) => changed.includes(file) ? { ...file, state: "written" } : file);
}
