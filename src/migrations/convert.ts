/**
 * A door of this room of its own, for the command line: manifests of Kubernetes become files of a connection.
 *
 * @module
 */
import type { Runtime } from "../runtime/mod.ts";
import { join, resolve } from "../runtime/path.ts";
import { type FileState, fileStateOf } from "./file_state.ts";
import {
  ClusterChoiceError,
  type Conversion,
  convertManifests,
  type ManifestFile,
  type Password,
  type WrittenFile,
} from "./search/convert.ts";

export { ClusterChoiceError };
export type { Conversion, Password };

/** What to convert, and what into. */
export interface ConvertOptions {
  readonly runtime: Runtime;
  /** The connection's folder; below the working directory where it is not absolute. */
  readonly folder: string;
  /** `name` or `namespace/name`, where the manifests are of several clusters. */
  readonly cluster?: string | undefined;
}

/** Manifests as files, beside what is there already. Nothing is written yet. */
export interface PreparedConversion extends Omit<Conversion, "files"> {
  readonly files: readonly PreparedFile[];
}

/** A file that is to be written. */
export interface PreparedFile extends WrittenFile {
  /** As people know it: the folder and the path below it. */
  readonly location: string;
  /** `differs`: there is one with other content. */
  readonly state: FileState;
}

/** Thrown for a path that is not that of a file. */
export class NoManifestError extends Error {
  override readonly name = "NoManifestError";
}

/**
 * Reads and converts manifests, and looks what is in the folder already.
 *
 * @param paths of YAML or JSON files; `-` is standard input
 * @throws {NoManifestError} when there is no such file
 * @throws {InvalidFilesError} for what cannot be read or converted, all of it together
 * @throws {ClusterChoiceError} where the resources are of several clusters
 */
export async function prepareConversion(
  paths: readonly string[],
  { runtime, folder, cluster }: ConvertOptions,
): Promise<PreparedConversion> {
  const sources: ManifestFile[] = [];
  for (const path of paths) sources.push(await sourceOf(path, runtime));
  const { files, ...rest } = await convertManifests(sources, cluster);
  const prepared: PreparedFile[] = [];
  for (const file of files) {
    const location = join(folder, file.path);
    const state = await fileStateOf(resolve(runtime.cwd(), location), file.text, runtime);
    prepared.push({ ...file, location, state });
  }
  return { ...rest, files: prepared };
}

/** Writes what is new or differs. */
export async function writeConversion(
  { files }: PreparedConversion,
  runtime: Runtime,
): Promise<void> {
  for (const { location, text, state } of files) {
    if (state === "unchanged") continue;
    const path = resolve(runtime.cwd(), location);
    await runtime.files.writeTextFile(path, text, { overwrite: state === "differs" });
  }
}

async function sourceOf(path: string, runtime: Runtime): Promise<ManifestFile> {
  if (path === "-") return { path: "standard input", text: await runtime.stdin.readText() };
  const { files, cwd } = runtime;
  const location = resolve(cwd(), path);
  const found = await files.stat(location);
  if (found === undefined) throw new NoManifestError(`There is no file '${path}'`);
  if (found.isDirectory) {
    throw new NoManifestError(
      `Expected files, such as '${path.replace(/\/$/, "")}/*.yaml', found the folder '${path}'`,
    );
  }
  return { path, text: await files.readTextFile(location) };
}
