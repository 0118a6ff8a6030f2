import type { Claims } from "./types.ts";

/** Whether it is a text with something in it. */
export function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** Whether somebody may be called so: it stands in logs, and may stand in headers. */
export function isName(value: unknown): value is string {
  return isText(value) && !/\p{Cc}/u.test(value);
}

/** That of the whole name (`https://example.com/roles`), or what a path (`realm_access.roles`) leads to. */
export function claimAt(claims: Claims, path: string): unknown {
  return Object.hasOwn(claims, path)
    ? claims[path]
    : path.split(".").reduce<unknown>(inner, claims);
}

/** The texts of a claim: a list as it is; one text is one, but that of a scope is a list with blanks. */
export function textsAt(claims: Claims, path: string): readonly string[] {
  const value = claimAt(claims, path);
  if (Array.isArray(value)) return value.filter(isText);
  if (!isText(value)) return [];
  return SCOPE.test(path) ? value.split(" ").filter(isText) : [value];
}

/** RFC 8693, 4.2, and what others call it. */
const SCOPE = /(?:^|[./])(?:scope|scp)$/;

function inner(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Claims)[name]
    : undefined;
}
