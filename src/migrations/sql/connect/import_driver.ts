/**
 * Imports a driver by a name that is no literal: Deno would download it up front. The self-contained executable, which
 * finds nothing outside itself, has its own drivers in place of this file.
 */
export async function importDriver(specifier: string): Promise<unknown> {
  return await import(/* webpackIgnore: true */ specifier);
}

/** The address of a package, for a thread, where its name means nothing. @throws {Error} when it is not installed */
export function resolveDriver(specifier: string): string {
  return import.meta.resolve(specifier);
}
