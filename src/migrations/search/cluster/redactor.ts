import { masker, secretPlaceholders } from "../../../text/mod.ts";
import type { SearchConnection } from "../types.ts";

/** Masks credentials and secret placeholders: the server may repeat the request in its response. */
export function redactor(
  { authorization, proxy, placeholders = {} }: Partial<SearchConnection>,
): (text: string) => string {
  const values = Object.entries(placeholders).flatMap(([name, { data, text }]) =>
    // A number also as it was written: `0x1F`, `1.50`.
    [data, text].flatMap((value) => secretPlaceholders({ [name]: value }))
  );
  const [, token = ""] = /^\w+ ([^]*)$/.exec(authorization ?? "") ?? [];
  const { username, password = "" } = basicOf(authorization) ?? {};
  const ofProxy = proxy ? decodeURIComponent(new URL(proxy).password) : "";
  const secrets = [token, password === username ? "" : password, ofProxy];
  return masker([...values, ...secrets.map((secret) => [secret, "***"] as const)]);
}

export function basicOf(authorization: string | undefined) {
  const [, token] = /^Basic ([^]*)$/.exec(authorization ?? "") ?? [];
  if (token === undefined) return undefined;
  const bytes = Uint8Array.from(atob(token), (character) => character.charCodeAt(0));
  const [username = "", ...password] = new TextDecoder().decode(bytes).split(":");
  return { username, password: password.join(":") };
}
