/**
 * Development stand-in for `@std/path/windows`, over `node:path`, which is loaded when it is asked for.
 *
 * @module
 */
function node(): typeof import("node:path").win32 {
  return builtin<typeof import("node:path")>("node:path").win32;
}

function url(): typeof import("node:url") {
  return builtin("node:url");
}

function builtin<T>(name: string): T {
  const { process } = globalThis as unknown as {
    readonly process: { getBuiltinModule(name: string): T };
  };
  return process.getBuiltinModule(name);
}

/** Joins segments and normalises the result. */
export const join = (path: string, ...paths: string[]): string => node().join(path, ...paths);
/** The path without its last segment. */
export const dirname = (path: string): string => node().dirname(path);
/** The last segment, without `suffix`. */
export const basename = (path: string, suffix?: string): string => node().basename(path, suffix);
/** The extension with its dot. */
export const extname = (path: string): string => node().extname(path);
/** The way from one path to another. */
export const relative = (from: string, to: string): string => node().relative(from, to);
/** Resolves segments to an absolute path, from right to left. */
export const resolve = (...segments: string[]): string => node().resolve(...segments);
/** Whether a path is absolute. */
export const isAbsolute = (path: string): boolean => node().isAbsolute(path);
/** Resolves `.` and `..`. */
export const normalize = (path: string): string => node().normalize(path);

/** The `file:` URL of an absolute path. */
export function toFileUrl(path: string): URL {
  if (!isAbsolute(path)) throw new TypeError(`Path must be absolute: received "${path}"`);
  return url().pathToFileURL(path);
}

/** The path of a `file:` URL. */
export function fromFileUrl(value: string | URL): string {
  return url().fileURLToPath(value);
}
