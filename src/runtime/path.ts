/**
 * A door of this room of its own: paths of the system that the process runs on. Not by `@std/path` itself, which finds out
 * by Node's `process` what system that is: it takes Deno 15 ms to make it.
 *
 * @module
 */
import * as posix from "@std/path/posix";
import * as windows from "@std/path/windows";

const globals = globalThis as unknown as Globals;
const system = globals.Deno ? globals.Deno.build.os : globals.process?.platform;
const path = system?.startsWith("win") ? windows : posix;

/** Joins segments and normalises the result. */
export const join: typeof posix.join = path.join;
/** The path without its last segment. */
export const dirname: typeof posix.dirname = path.dirname;
/** The last segment. */
export const basename: typeof posix.basename = path.basename;
/** The way from one path to another. */
export const relative: typeof posix.relative = path.relative;
/** Resolves segments to an absolute path, from right to left. */
export const resolve: typeof posix.resolve = path.resolve;
/** Whether a path is absolute. */
export const isAbsolute: typeof posix.isAbsolute = path.isAbsolute;
/** The `file:` URL of an absolute path. */
export const toFileUrl: typeof posix.toFileUrl = path.toFileUrl;
/** The path of a `file:` URL. */
export const fromFileUrl: typeof posix.fromFileUrl = path.fromFileUrl;

interface Globals {
  readonly Deno?: { readonly build: { readonly os: string } };
  readonly process?: { readonly platform?: string };
}
