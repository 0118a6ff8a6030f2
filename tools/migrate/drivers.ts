/**
 * In place of `src/migrations/sql/connect/import_driver.ts`. `npx` runs the package from a folder of its own, where no
 * driver is, so that those of the project are looked for as well.
 */
import { builtin } from "../../src/runtime/shared/builtin.ts";

/** A thread gets the text of this function alone, which therefore uses nothing else of the module before it fails. */
export async function importDriver(specifier: string): Promise<unknown> {
  try {
    return await import(/* webpackIgnore: true */ specifier);
  } catch (error) {
    const found = ofProject(specifier);
    if (found === undefined) throw error;
    return await import(/* webpackIgnore: true */ found);
  }
}

/** The address of a package, for a thread, where its name means nothing. @throws {Error} when it is not installed */
export function resolveDriver(specifier: string): string {
  try {
    return import.meta.resolve(specifier);
  } catch (error) {
    const found = ofProject(specifier);
    if (found === undefined) throw error;
    return found;
  }
}

/** The address of a package of the project in the working directory. */
export function ofProject(specifier: string): string | undefined {
  const { createRequire } = builtin<typeof import("node:module")>("node:module");
  const { pathToFileURL } = builtin<typeof import("node:url")>("node:url");
  const { cwd } = builtin<typeof import("node:process")>("node:process");
  try {
    return pathToFileURL(createRequire(`${cwd()}/`).resolve(specifier)).href;
  } catch {
    return undefined;
  }
}
