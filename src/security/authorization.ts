export interface Authorization {
  /** In lower case: names of schemes are case-insensitive (RFC 9110, 11.1). */
  readonly scheme: string;
  /** `undefined` if there is no `token68` (RFC 9110, 11.2). */
  readonly token?: string;
}

const LONGEST = 16_384;

/** RFC 9110, 11.4. Several headers, which runtimes join by commas, are never a token. */
export function parseAuthorization(header: string | null): Authorization | undefined {
  const [scheme] = SCHEME.exec(header ?? "") ?? [];
  if (header === null || scheme === undefined) return undefined;
  const rest = header.length > LONGEST ? "" : header.slice(scheme.length);
  const [, token] = TOKEN.exec(rest) ?? [];
  return { scheme: scheme.toLowerCase(), ...(token !== undefined && { token }) };
}

const SCHEME = /^[\w!#$%&'*+.^`|~-]+(?=[ ,]|$)/;
const TOKEN = /^ +([\w.~+/-]+=*)$/;
