const LENIENT = new TextDecoder();
const STRICT = new TextDecoder("utf-8", { fatal: true });

/** The text of bytes that a client sent. @throws {TypeError} when they are not UTF-8 */
export function decodeUtf8(bytes: ArrayBuffer | Uint8Array<ArrayBuffer>): string {
  const text = LENIENT.decode(bytes);
  // Deno takes twice as long to be strict. What is malformed has become this character, which may also have been sent.
  return text.includes("\uFFFD") ? STRICT.decode(bytes) : text;
}
