/** A name as a JSON pointer has it (RFC 6901, 3). */
export function pointerToken(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

export function nameOfToken(token: string): string {
  return token.replaceAll("~1", "/").replaceAll("~0", "~");
}
