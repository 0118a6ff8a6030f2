import { TOKEN } from "../text/mod.ts";

/** What the value of a field can hold (RFC 9110, 5.5): no control character but tabs, nothing beyond Latin-1. */
export const FIELD_VALUE: RegExp = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Names of fields that are about one connection (RFC 9110, 7.6.1). */
const OF_THE_CONNECTION =
  /^(?:connection|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade)$/;

/**
 * Whether a field, named in small letters, is not to be passed on: beside those about one connection what a proxy and
 * its client settle (RFC 9110, 11.7).
 */
export function isHopByHop(name: string): boolean {
  return OF_THE_CONNECTION.test(name) || name.startsWith("proxy-");
}

/**
 * Refuses what no header can carry (RFC 9110, 5.5 and 5.6.2): Deno ends the process for it, Node throws where no code
 * catches it. The value is not repeated: it may be a secret.
 *
 * @throws {TypeError} when the name is no token, or the value has a control character or one beyond Latin-1
 */
export function checkHeader(name: string, value: string): void {
  if (!TOKEN.test(name)) {
    throw new TypeError(
      `Cannot set the header ${JSON.stringify(name)}: its name is not a valid token`,
    );
  }
  if (FIELD_VALUE.test(value)) return;
  const reason = /[^\0-\xff]/.test(value)
    ? "must be encoded, because it has a character outside Latin-1"
    : "has a control character, such as a line break";
  throw new TypeError(`Cannot set the header '${name}': its value ${reason}`);
}

/**
 * {@linkcode checkHeader}, and refuses what is the server's to say: how long a message is, and what becomes of its
 * connection. `__proto__` is refused because Node's server would lose it.
 *
 * @throws {TypeError}
 */
export function checkOwnHeader(name: string, value: string): void {
  checkHeader(name, value);
  const key = name.toLowerCase();
  if (OF_THE_CONNECTION.test(key) || key === "content-length") {
    throw new TypeError(`Cannot set the header '${name}': the server sets it`);
  }
  if (key === "__proto__") {
    throw new TypeError("Cannot set the header '__proto__': not every runtime can send it");
  }
}
