/** What the value of a field can hold (RFC 9110, 5.5): no control character but tabs, nothing beyond Latin-1. */
export const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Fields that are about a connection or the length of a message (RFC 9110, 7.6.1 and 8.6). */
const OF_THE_SERVER =
  /^(?:connection|content-length|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade)$/i;

/**
 * Refuses what no header can carry (RFC 9110, 5.5 and 5.6.2): Deno ends the process for it, Node throws where nobody
 * catches it. The value is not repeated: it may be a secret.
 *
 * @throws {TypeError} when the name is no token, or the value has a control character or one beyond Latin-1
 */
export function checkHeader(name: string, value: string): void {
  if (!/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name)) {
    throw new TypeError(`Cannot set the header ${JSON.stringify(name)}: its name is no token`);
  }
  if (FIELD_VALUE.test(value)) return;
  const reason = /[^\0-\xff]/.test(value)
    ? "has to be encoded, as it holds a character beyond Latin-1"
    : "holds a control character, such as a line break";
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
  if (OF_THE_SERVER.test(name)) {
    throw new TypeError(`Cannot set the header '${name}': the server sets it`);
  }
  if (name.toLowerCase() === "__proto__") {
    throw new TypeError("Cannot set the header '__proto__': not every runtime can send it");
  }
}
