import { PackageNotFoundError } from "../errors.ts";

/**
 * Packages from npm that parts of the library need and that applications install which use these parts, and the
 * versions that will do. They come by themselves where the library is taken from JSR.
 */
export const PACKAGES = {
  "@babel/parser": "^8.1.2",
  "@cfworker/json-schema": "^4.1.1",
  "@logtape/logtape": "^2.4.2",
  "@logtape/redaction": "^2.3.7",
  "@opentelemetry/api": "~1.9.0",
  aws4fetch: "^1.0.20",
  esbuild: ">=0.25 <1",
  "fast-check": "^4.10.2",
  jose: "^6.2.17",
  undici: "^8.12.4",
} as const;

/**
 * For `import("undici").catch(notInstalled("undici"))`. So written, esbuild and Bun leave a missing package to
 * the moment when it is needed, and take one that is.
 *
 * @throws {PackageNotFoundError} when that is what failed; says how to install it
 */
export function notInstalled(name: keyof typeof PACKAGES): (cause: unknown) => never {
  return packageMissing({ name, range: PACKAGES[name] });
}

/** A package that is not in the table, so that bundles of applications that do not need it do not name it. */
export const CRONER = { name: "croner", range: "^11.0.1" } as const;
/** As {@linkcode CRONER}. */
export const PG_BOSS = { name: "pg-boss", range: "^12.38.0" } as const;

export function packageMissing(
  { name, range }: { readonly name: string; readonly range: string },
): (cause: unknown) => never {
  return (cause) => {
    // Runtimes differ in codes and words. What fails while it is evaluated has another reason.
    if (!(cause instanceof Error) || !isMissing(cause, name)) throw cause;
    throw new PackageNotFoundError(name, range, { cause });
  };
}

/** By what stands before the module that imports it, which may be of the package. */
function isMissing({ message }: Error, name: string): boolean {
  const [missing = ""] = message.split(/\sfrom\s/);
  return /cannot find|not find|not found|could not resolve|not a dependency/i.test(message) &&
    missing.includes(name);
}
