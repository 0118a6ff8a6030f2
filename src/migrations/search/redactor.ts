import { masker } from "../../text/mod.ts";
import type { SearchConnection } from "./types.ts";

/** Makes a function that takes the credentials of a connection out of a text: whoever answers may repeat the request. */
export function redactor(
  { authorization }: Pick<SearchConnection, "authorization">,
): (text: string) => string {
  const [, token] = /^\w+ ([^]*)$/.exec(authorization ?? "") ?? [];
  if (token === undefined) return (text) => text;
  const secrets = [[token, "***"] as const];
  const { username, password } = basicOf(authorization) ?? {};
  if (password !== undefined && password !== username) secrets.push([password, "***"]);
  return masker(secrets);
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
