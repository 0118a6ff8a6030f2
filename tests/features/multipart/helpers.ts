/** A part as a client has it. */
export interface Sent {
  readonly name: string;
  readonly filename?: string;
  readonly body: string;
}

/** A body of these parts, as browsers write it. */
export function encoded(
  parts: readonly Sent[],
  boundary: string,
  epilogue = "\r\n",
): Uint8Array<ArrayBuffer> {
  const texts = parts.map(({ name, filename, body }) => {
    const file = filename === undefined ? "" : `; filename="${quoted(filename)}"`;
    return `--${boundary}\r\nContent-Disposition: form-data; name="${
      quoted(name)
    }"${file}\r\n\r\n${body}\r\n`;
  });
  return new TextEncoder().encode(`${texts.join("")}--${boundary}--${epilogue}`);
}

function quoted(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', "%22").replaceAll("\n", "%0A");
}

/** The bytes, cut at these places. */
export function chunked(
  bytes: Uint8Array<ArrayBuffer>,
  cuts: readonly number[],
): Uint8Array<ArrayBuffer>[] {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length];
  places.sort((a, b) => a - b);
  return places.slice(1).map((end, index) => bytes.slice(places[index], end));
}

/** An array of these bytes. */
export function bytesOf(bytes: readonly number[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}
