import { type Placeholder, PlaceholderError, placeholdersIn } from "../text/mod.ts";

export type Lookup = (name: string) => string | undefined;

/** A default may contain placeholders; `$${` stands for `${`. @throws {PlaceholderError} */
export function fill(text: string, lookup: Lookup): string {
  return placeholdersIn(text)
    .map((part) => typeof part === "string" ? part : resolve(part, lookup))
    .join("");
}

export function placeholderNames(text: string): readonly string[] {
  try {
    return placeholdersIn(text).flatMap((part) =>
      typeof part === "string" ? [] : [part.name, ...placeholderNames(part.fallback ?? "")]
    );
  } catch {
    return [];
  }
}

function resolve({ name, fallback }: Placeholder, lookup: Lookup): string {
  const value = name === "" ? undefined : lookup(name);
  if (value !== undefined) return value;
  if (fallback !== undefined) return fill(fallback, lookup);
  throw new PlaceholderError(`Cannot fill '\${${name}}': it is not set and has no default`);
}
