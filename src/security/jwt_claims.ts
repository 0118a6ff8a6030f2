import type { Claims } from "./types.ts";

/** Whether it is a text with something in it. */
export function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/**
 * The texts of a claim: that of the whole name (`https://example.com/roles`), or what a path (`realm_access.roles`) leads
 * to. A list is taken as it is.
 *
 * @param isSplit whether a text is a list with blanks, as `scope` is (RFC 8693, 4.2)
 */
export function textsAt(claims: Claims, path: string, isSplit: boolean): readonly string[] {
  const value = Object.hasOwn(claims, path) ? claims[path] : path.split(".").reduce(inner, claims);
  if (typeof value === "string") return (isSplit ? value.split(" ") : [value]).filter(isText);
  return Array.isArray(value) ? value.filter(isText) : [];
}

function inner(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Claims)[name]
    : undefined;
}
