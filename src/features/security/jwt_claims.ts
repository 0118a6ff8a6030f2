import type { Claims } from "./types.ts";

export function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** Whether a value is valid as a user name, which is logged and may be sent in headers. */
export function isName(value: unknown): value is string {
  return isText(value) && !/\p{Cc}/u.test(value);
}

/** The claim of the whole name (`https://example.com/roles`), or the value at a path (`realm_access.roles`). */
export function claimAt(claims: Claims, path: string): unknown {
  return Object.hasOwn(claims, path)
    ? claims[path]
    : path.split(".").reduce<unknown>(inner, claims);
}

/** The texts of a claim: a list, one text, or the space-separated list of a scope. */
export function textsAt(claims: Claims, path: string): readonly string[] {
  const value = claimAt(claims, path);
  if (Array.isArray(value)) return value.filter(isText);
  if (!isText(value)) return [];
  return SCOPE.test(path) ? value.split(" ").filter(isText) : [value];
}

/** RFC 8693, 4.2, and its variant `scp`. */
const SCOPE = /(?:^|[./])(?:scope|scp)$/;

function inner(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Claims)[name]
    : undefined;
}
