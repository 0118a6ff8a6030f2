/** What the value of a field can hold (RFC 9110, 5.5): no control character but tabs, nothing beyond Latin-1. */
export const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Refuses what no header can carry (RFC 9110, 5.5 and 5.6.2), before a runtime does in words of its own. The value is
 * not repeated: it may be a secret.
 *
 * @throws {TypeError} when the name is no token, or the value has a line break or a character beyond Latin-1
 */
export function checkHeader(name: string, value: string): void {
  if (!/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name)) {
    throw new TypeError(`Cannot set the header ${JSON.stringify(name)}: its name is no token`);
  }
  if (/[\r\n\0]/.test(value)) {
    throw new TypeError(`Cannot set the header '${name}': its value holds a line break or NUL`);
  }
  if (/[^\0-\xff]/.test(value)) {
    throw new TypeError(
      `Cannot set the header '${name}': its value has to be encoded, as it holds a character beyond Latin-1`,
    );
  }
}
