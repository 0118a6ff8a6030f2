/**
 * Development stand-in for `@std/path`. Can be imported where there are no paths, as the real one can.
 *
 * @module
 */
import * as posix from "./posix.ts";
import * as windows from "./windows.ts";

const globals = globalThis as unknown as Globals;
const system = globals.Deno ? globals.Deno.build.os : globals.process?.platform;
const path = system?.startsWith("win") ? windows : posix;

/** Joins segments and normalises the result. */
export const join: Path["join"] = path.join;
/** The path without its last segment. */
export const dirname: Path["dirname"] = path.dirname;
/** The last segment, without `suffix`. */
export const basename: Path["basename"] = path.basename;
/** The extension with its dot. */
export const extname: Path["extname"] = path.extname;
/** The way from one path to another. */
export const relative: Path["relative"] = path.relative;
/** Resolves segments to an absolute path, from right to left. */
export const resolve: Path["resolve"] = path.resolve;
/** Whether a path is absolute. */
export const isAbsolute: Path["isAbsolute"] = path.isAbsolute;
/** Resolves `.` and `..`. */
export const normalize: Path["normalize"] = path.normalize;
/** The `file:` URL of an absolute path. */
export const toFileUrl: Path["toFileUrl"] = path.toFileUrl;
/** The path of a `file:` URL. */
export const fromFileUrl: Path["fromFileUrl"] = path.fromFileUrl;

type Path = typeof posix;

interface Globals {
  readonly Deno?: { readonly build: { readonly os: string } };
  readonly process?: { readonly platform?: string };
}
