import { masker, secretPlaceholders } from "../../../text/mod.ts";
import { encodePath } from "../request.ts";
import type { SearchConnection } from "../types.ts";

/**
 * Makes a function that takes the credentials of a connection, and the values of its placeholders that are named like
 * secrets, out of a text: whoever answers may repeat the request.
 */
export function redactor(
  { authorization, placeholders = {} }: Pick<SearchConnection, "authorization" | "placeholders">,
): (text: string) => string {
  const declared = Object.entries(placeholders);
  const data = declared.map(([name, { data }]) => [name, data] as const);
  // A number as it was written: `0x1F`, `1.50`.
  const texts = declared.map(([name, { data, text }]) =>
    [name, isFlag(data) ? null : text] as const
  );
  const values = [data, texts].flatMap((pairs) => secretPlaceholders(Object.fromEntries(pairs)))
    // Paths keep what may stand in them.
    .flatMap(([value, shown]) => [[value, shown] as const, [encodePath(value), shown] as const]);
  return masker([...values, ...credentials(authorization)]);
}

function isFlag(value: unknown): boolean {
  return typeof value === "boolean" || value === null;
}

function credentials(authorization = ""): readonly (readonly [string, string])[] {
  const [, token] = /^\w+ ([^]*)$/.exec(authorization) ?? [];
  if (token === undefined) return [];
  const { username, password } = basicOf(authorization) ?? {};
  const isKnown = password === undefined || password === username;
  return isKnown ? [[token, "***"]] : [[token, "***"], [password, "***"]];
}

/** Name and password of basic authentication (RFC 7617), `undefined` for any other. */
export function basicOf(
  authorization: string | undefined,
): { readonly username: string; readonly password: string } | undefined {
  const [, token] = /^Basic ([^]*)$/.exec(authorization ?? "") ?? [];
  if (token === undefined) return undefined;
  const bytes = Uint8Array.from(atob(token), (character) => character.charCodeAt(0));
  const [username = "", ...password] = new TextDecoder().decode(bytes).split(":");
  return { username, password: password.join(":") };
}
