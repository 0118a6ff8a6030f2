import { TOKEN } from "../text/mod.ts";

/** The syntax of the value of a field (RFC 9110, 5.5): no control character but tabs, nothing beyond Latin-1. */
export const FIELD_VALUE: RegExp = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Names of fields that are about one connection (RFC 9110, 7.6.1). */
const OF_THE_CONNECTION =
  /^(?:connection|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade)$/;

/** Whether a field, in small letters, belongs to one connection or to a proxy (RFC 9110, 11.7). */
export function isHopByHop(name: string): boolean {
  return OF_THE_CONNECTION.test(name) || name.startsWith("proxy-");
}

/**
 * Refuses what no header can carry (RFC 9110, 5.5 and 5.6.2): Deno ends the process for it, Node throws where no code
 * catches it. The value is not repeated: it may be a secret. Refuses, too, what is the server's to say: how long a message
 * is, and what becomes of its connection; and `__proto__`, because Node's server would lose it.
 *
 * @throws {TypeError}
 */
export function checkOwnHeader(name: string, value: string): void {
  if (!TOKEN.test(name)) {
    throw new TypeError(
      `Cannot set the header ${JSON.stringify(name)}: its name is not a valid token`,
    );
  }
  const key = name.toLowerCase();
  const reason = /[^\0-\xff]/.test(value)
    ? "its value must be encoded, because it has a character outside Latin-1"
    : !FIELD_VALUE.test(value)
    ? "its value has a control character, such as a line break"
    : OF_THE_CONNECTION.test(key) || key === "content-length"
    ? "the server sets it"
    : undefined;
  if (reason !== undefined) throw new TypeError(`Cannot set the header '${name}': ${reason}`);
  if (key !== "__proto__") return;
  throw new TypeError("Cannot set the header '__proto__': not every runtime can send it");
}
