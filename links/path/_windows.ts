import type * as posix from "./posix.ts";

/** The paths of Windows by `node:path`; `undefined` on other systems. */
export function windowsPath(): typeof posix | undefined {
  const globals = globalThis as unknown as Globals;
  // `process` only where there is no `Deno`, which takes 15 ms to make it.
  const system = globals.Deno ? globals.Deno.build.os : globals.process?.platform;
  if (!system?.startsWith("win")) return undefined;
  const path = globals.process!.getBuiltinModule("node:path") as typeof import("node:path");
  const url = globals.process!.getBuiltinModule("node:url") as typeof import("node:url");
  return {
    ...path,
    toFileUrl(value) {
      if (path.isAbsolute(value)) return url.pathToFileURL(value);
      throw new TypeError(`Path must be absolute: received "${value}"`);
    },
    fromFileUrl: (value) => url.fileURLToPath(value),
  };
}

interface Globals {
  readonly Deno?: { readonly build: { readonly os: string } };
  readonly process?: {
    readonly platform: string;
    getBuiltinModule(name: string): unknown;
  };
}
