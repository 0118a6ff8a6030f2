/** Paths of the operating system. Not `@std/path`, which needs Node's `process` to detect it: 15 ms on Deno. */
import * as posix from "@std/path/posix";
import * as windows from "@std/path/windows";

const globals = globalThis as unknown as Globals;
const system = globals.Deno ? globals.Deno.build.os : globals.process?.platform;
const path = system?.startsWith("win") ? windows : posix;

export const SEPARATOR: string = path === windows ? "\\" : "/";
export const join: typeof posix.join = path.join;
export const dirname: typeof posix.dirname = path.dirname;
export const basename: typeof posix.basename = path.basename;
export const relative: typeof posix.relative = path.relative;
export const resolve: typeof posix.resolve = path.resolve;
export const isAbsolute: typeof posix.isAbsolute = path.isAbsolute;
export const toFileUrl: typeof posix.toFileUrl = path.toFileUrl;
export const fromFileUrl: typeof posix.fromFileUrl = path.fromFileUrl;

interface Globals {
  readonly Deno?: { readonly build: { readonly os: string } };
  readonly process?: { readonly platform?: string };
}
