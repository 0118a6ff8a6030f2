/**
 * Development stand-in for `@std/path/posix`, over `node:path`.
 *
 * @module
 */
import { builtin } from "./_builtin.ts";

const node = builtin<typeof import("node:path")>("node:path");

/** Joins segments and normalises the result. */
export const join = (path: string, ...paths: string[]): string => node().posix.join(path, ...paths);
/** The path without its last segment. */
export const dirname = (path: string): string => node().posix.dirname(path);
/** The last segment, without `suffix`. */
export const basename = (path: string, suffix?: string): string =>
  node().posix.basename(path, suffix);
/** The extension with its dot. */
export const extname = (path: string): string => node().posix.extname(path);
/** The way from one path to another. */
export const relative = (from: string, to: string): string => node().posix.relative(from, to);
/** Resolves `.` and `..`. */
export const normalize = (path: string): string => node().posix.normalize(path);
