/** A text, or a file with its name, which is a `Blob` or is read while it is sent. */
export type FormEntry =
  | readonly [name: string, value: string]
  | readonly [name: string, value: FileContent, filename: string];

interface FileContent {
  readonly type?: string;
  stream(): ReadableStream<Uint8Array>;
}

/** A body of multipart/form-data (RFC 7578) whose files are read while it is sent; `FormData` takes no streams. */
export function multipartOf(
  form: readonly FormEntry[],
): { readonly boundary: string; readonly stream: ReadableStream<Uint8Array> } {
  const boundary = crypto.randomUUID();
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const write = async () => {
    for (const piece of piecesOf(form, boundary)) {
      await piece.stream().pipeTo(writable, { preventClose: true });
    }
    await writable.close();
  };
  write().catch((error) => writable.abort(error));
  return { boundary, stream: readable };
}

function* piecesOf(form: readonly FormEntry[], boundary: string): Iterable<FileContent> {
  for (const [name, value, filename = ""] of form) {
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${escaped(name)}"`;
    if (typeof value === "string") {
      yield new Blob([head, "\r\n\r\n", value.replace(/\r\n|\r|\n/g, "\r\n")]);
    } else {
      const type = value.type || "application/octet-stream";
      yield new Blob([head, `; filename="${escaped(filename)}"\r\nContent-Type: ${type}\r\n\r\n`]);
      yield value;
    }
    yield new Blob(["\r\n"]);
  }
  yield new Blob([`--${boundary}--\r\n`]);
}

/** WHATWG HTML, 4.10.21.8. */
function escaped(name: string): string {
  return name.replace(/["\r\n]/g, (one) => encodeURIComponent(one));
}
