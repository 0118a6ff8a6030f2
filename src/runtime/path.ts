/** Paths of the operating system. Not `@std/path`, which needs Node's `process` to detect it: 15 ms on Deno. */
import * as posix from "@std/path/posix";
import * as windows from "@std/path/windows";

const globals = globalThis as unknown as Globals;
const system = globals.Deno ? globals.Deno.build.os : globals.process?.platform;
const path = system?.startsWith("win") ? windows : posix;

export const SEPARATOR: string = path === windows ? "\\" : "/";
export const { basename, dirname, fromFileUrl, isAbsolute, join, relative, resolve, toFileUrl } =
  path;

interface Globals {
  readonly Deno?: { readonly build: { readonly os: string } };
  readonly process?: { readonly platform?: string };
}
