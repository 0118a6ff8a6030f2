import type { NamedScheme } from "./types.ts";

/** `WWW-Authenticate` with one challenge per scheme (RFC 9110, 11.6.1). */
export function challengesOf(
  schemes: readonly NamedScheme[],
  realm: string,
  failed: ReadonlyMap<NamedScheme, Error & { readonly description?: string }>,
): string {
  const byText = new Map<string, string | undefined>();
  for (const named of schemes) {
    const { name, scheme: { challenge = name } } = named;
    const { description } = failed.get(named) ?? {};
    const sent = description?.replaceAll('"', "'").replaceAll(UNQUOTABLE, "");
    byText.set(challenge, byText.get(challenge) ?? (description && sent));
  }
  return [...byText].map(([challenge, description]) => {
    const [first = "", ...rest] = challenge.split(" ");
    const parameters = [
      `realm="${realm}"`,
      // Passwords may contain any character (RFC 7617, 2.1).
      ...(first === "Basic" ? ['charset="UTF-8"'] : []),
      ...(rest.length > 0 ? [rest.join(" ")] : []),
      ...(first === "Bearer" && description !== undefined ? ['error="invalid_token"'] : []),
      ...(first === "Bearer" && description ? [`error_description="${description}"`] : []),
    ];
    return `${first} ${parameters.join(", ")}`;
  }).join(", ");
}

/** Characters that a quoted string must not contain (RFC 6750, 3, which allows fewer than RFC 9110, 5.6.4). */
const UNQUOTABLE = /[^\x20-\x21\x23-\x5b\x5d-\x7e]/g;

export function isQuotable(text: string): boolean {
  return text.search(UNQUOTABLE) < 0;
}

/** A scheme with parameters (RFC 9110, 11.3) but `realm`, which must occur once (11.5): {@linkcode challengesOf} adds it. */
export function isChallenge(challenge: unknown): boolean {
  return typeof challenge === "string" &&
    /^(?!.*[ ,]realm *=)[\w!#$%&'*+.^`|~-]+(?: [\x21-\x7e][\x20-\x7e]*)?$/i.test(challenge);
}

const LONGEST = 16_384;

/**
 * RFC 9110, 11.4. Several headers, which runtimes join by commas, are never a token. The scheme is in lower case: names
 * of schemes are case-insensitive (11.1). The token is `undefined` if there is no `token68` (11.2).
 */
export function parseAuthorization(header: string | undefined) {
  const [scheme] = SCHEME.exec(header ?? "") ?? [];
  if (header === undefined || scheme === undefined) return undefined;
  const rest = header.length > LONGEST ? "" : header.slice(scheme.length);
  const [, token] = TOKEN.exec(rest) ?? [];
  return { scheme: scheme.toLowerCase(), ...(token !== undefined && { token }) };
}

const SCHEME = /^[\w!#$%&'*+.^`|~-]+(?=[ ,]|$)/;
const TOKEN = /^ +([\w.~+/-]+=*)$/;

/** The token of an `Authorization`, such as of RFC 6750, 2.1: empty if it is malformed, `undefined` in another scheme. */
export function tokenOf(header: string | undefined, scheme = BEARER): string | undefined {
  const sent = parseAuthorization(header);
  return sent?.scheme === scheme.toLowerCase() ? sent.token ?? "" : undefined;
}

export const BEARER = "Bearer";
