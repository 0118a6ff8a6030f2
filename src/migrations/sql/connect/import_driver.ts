/** By a name that is no literal: Deno would download it. The executable has its own in place of this. */
export async function importDriver(specifier: string): Promise<unknown> {
  return await import(/* webpackIgnore: true */ specifier);
}

/** The address of a package, for a thread, where its name means nothing. @throws {Error} when it is not installed */
export function resolveDriver(specifier: string): string {
  return import.meta.resolve(specifier);
}
