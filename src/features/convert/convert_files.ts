import { UsageError } from "../../cli/mod.ts";
import { type FileState, fileStateOf, writeFiles } from "../pull/file_state.ts";
import type { Runtime } from "../../runtime/mod.ts";
import { join, resolve } from "../../runtime/path.ts";
import { errorOf } from "../../text/mod.ts";
import { convertManifests } from "./convert.ts";
import type { ManifestFile } from "./manifests.ts";

export type PreparedConversion = Awaited<ReturnType<typeof prepareConversion>>;

export async function prepareConversion(
  paths: readonly string[],
  folder: string,
  cluster: string | undefined,
  runtime: Runtime,
) {
  const sources = await Array.fromAsync(paths, (path) => sourceOf(path, runtime));
  const { files, ...rest } = await convertManifests(sources, cluster);
  const prepared = await Array.fromAsync(files, async (file) => {
    const location = join(folder, file.path);
    const state: FileState | "written" = await stateOf(location, file.text, runtime);
    return { ...file, location, state };
  });
  /** Writes what is new or differs. @throws {UsageError} telling how many were written before it */
  const write = () =>
    writeFiles(
      prepared,
      ({ location }) => resolve(runtime.cwd(), location),
      runtime,
      ({ location }, cause, done, total) =>
        unwritable(location, cause, `${done} of ${total} files were written before it`),
    );
  return { ...rest, files: prepared, write };
}

/** Whether it exists; a folder in place of a file, or a file in place of a folder, blocks it. */
async function stateOf(location: string, text: string, runtime: Runtime): Promise<FileState> {
  const path = resolve(runtime.cwd(), location);
  try {
    const state = await fileStateOf(path, text, runtime);
    if (state !== "new") return state;
    const parts = path.split("/");
    for (let length = parts.length - 1; length > 1; length--) {
      const folder = parts.slice(0, length).join("/");
      const found = await runtime.files.stat(folder);
      if (found?.isDirectory) break;
      if (found) throw new Error(`'${folder}' is a file`);
    }
    return state;
  } catch (error) {
    throw unwritable(location, error, "Nothing was written");
  }
}

function unwritable(location: string, cause: unknown, rest: string): UsageError {
  return new UsageError(`Cannot write '${location}': ${errorOf(cause).message}. ${rest}`, {
    cause,
  });
}

async function sourceOf(path: string, runtime: Runtime): Promise<ManifestFile> {
  if (path === "-") return { path: "standard input", text: await runtime.stdin.readText() };
  const { files, cwd } = runtime;
  const location = resolve(cwd(), path);
  const found = await files.stat(location);
  if (found === undefined) throw new UsageError(`There is no file '${path}'`);
  if (found.isDirectory) {
    throw new UsageError(
      `Expected files, such as '${path.replace(/\/$/, "")}/*.yaml', found the folder '${path}'`,
    );
  }
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await files.readFile(location));
    return { path, text };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError(`The file '${path}' is not in UTF-8`);
  }
}
