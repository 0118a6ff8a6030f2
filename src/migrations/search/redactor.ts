import { masker } from "../../text/mod.ts";
import type { SearchConnection } from "./types.ts";

/** Makes a function that takes the credentials of a connection out of a text: whoever answers may repeat the request. */
export function redactor(
  { authorization }: Pick<SearchConnection, "authorization">,
): (text: string) => string {
  const [, scheme, token] = /^(\w+) ([^]*)$/.exec(authorization ?? "") ?? [];
  if (token === undefined) return (text) => text;
  const secrets = [[token, "***"] as const];
  if (scheme === "Basic") {
    const bytes = Uint8Array.from(atob(token), (character) => character.charCodeAt(0));
    const [username, ...password] = new TextDecoder().decode(bytes).split(":");
    const secret = password.join(":");
    if (secret !== username) secrets.push([secret, "***"]);
  }
  return masker(secrets);
}
