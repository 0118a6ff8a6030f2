/**
 * Development stand-in for `@std/path/posix`, over `node:path`.
 *
 * @module
 */
import { builtin } from "./_builtin.ts";

const { posix = {} as PlatformPath } = builtin<{ readonly posix?: PlatformPath }>("node:path");

type PlatformPath = typeof import("node:path").posix;

/** Joins segments and normalises the result. */
export const join: (path: string, ...paths: string[]) => string = posix.join;
/** The path without its last segment. */
export const dirname: (path: string) => string = posix.dirname;
/** The last segment, without `suffix`. */
export const basename: (path: string, suffix?: string) => string = posix.basename;
/** The extension with its dot. */
export const extname: (path: string) => string = posix.extname;
/** The way from one path to another. */
export const relative: (from: string, to: string) => string = posix.relative;
/** Resolves `.` and `..`. */
export const normalize: (path: string) => string = posix.normalize;
