/** What an `Authorization` header says. */
export interface Authorization {
  /** In lower case: names of schemes have no case (RFC 9110, 11.1). */
  readonly scheme: string;
  /** `undefined` where it is no `token68` (RFC 9110, 11.2), or there is none. */
  readonly token?: string;
}

/** Characters of a header that are looked at. */
const LONGEST = 16_384;

/**
 * Reads credentials (RFC 9110, 11.4). Several headers of the name, which runtimes join by commas, are never a token.
 *
 * @returns `undefined` where there is no scheme
 */
export function parseAuthorization(header: string | null): Authorization | undefined {
  const [scheme] = SCHEME.exec(header ?? "") ?? [];
  if (header === null || scheme === undefined) return undefined;
  const rest = header.length > LONGEST ? "" : header.slice(scheme.length);
  const [, token] = TOKEN.exec(rest) ?? [];
  return { scheme: scheme.toLowerCase(), ...(token !== undefined && { token }) };
}

const SCHEME = /^[\w!#$%&'*+.^`|~-]+(?=[ ,]|$)/;
const TOKEN = /^ +([\w.~+/-]+=*)$/;
