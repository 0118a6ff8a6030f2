/**
 * Development stand-in for `@std/path`, over `node:path`. Can be imported where there is none, as the real one can.
 *
 * @module
 */
import { builtin } from "./_builtin.ts";

const path = builtin<typeof import("node:path")>("node:path");
const url = builtin<typeof import("node:url")>("node:url");

/** The separator of this system. */
export const SEPARATOR: string = path.sep ?? "/";

/** Joins segments and normalises the result. */
export const join: (path: string, ...paths: string[]) => string = path.join;
/** The path without its last segment. */
export const dirname: (path: string) => string = path.dirname;
/** The last segment, without `suffix`. */
export const basename: (path: string, suffix?: string) => string = path.basename;
/** The extension with its dot. */
export const extname: (path: string) => string = path.extname;
/** The way from one path to another. */
export const relative: (from: string, to: string) => string = path.relative;
/** Resolves segments to an absolute path, from right to left. */
export const resolve: (...segments: string[]) => string = path.resolve;
/** Whether a path is absolute. */
export const isAbsolute: (path: string) => boolean = path.isAbsolute;
/** Resolves `.` and `..`. */
export const normalize: (path: string) => string = path.normalize;

/** The `file:` URL of an absolute path. */
export function toFileUrl(path: string): URL {
  if (!isAbsolute(path)) throw new TypeError(`Path must be absolute: received "${path}"`);
  return url.pathToFileURL(path);
}

/** The path of a `file:` URL. */
export function fromFileUrl(value: string | URL): string {
  return url.fileURLToPath(value);
}
