import { chunksOf } from "./_chunks.ts";

/** A text, or a file with its name, which is a `Blob` or is read while it is sent. */
export type FormEntry =
  | readonly [name: string, value: string]
  | readonly [name: string, value: FileContent, filename: string];

/** What a `Blob` has of it. */
interface FileContent {
  readonly type?: string;
  stream(): ReadableStream<Uint8Array>;
}

/** A body of multipart/form-data (RFC 7578) whose files are read while it is sent; `FormData` takes no streams. */
export function multipartOf(
  form: readonly FormEntry[],
): { readonly boundary: string; readonly stream: ReadableStream<Uint8Array> } {
  const boundary = crypto.randomUUID();
  const chunks = chunksOfForm(form, boundary);
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => void await chunks.return(undefined),
  });
  return { boundary, stream };
}

async function* chunksOfForm(
  form: readonly FormEntry[],
  boundary: string,
): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder();
  for (const [name, value, filename = ""] of form) {
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${escaped(name)}"`;
    if (typeof value === "string") {
      yield encoder.encode(`${head}\r\n\r\n${value.replace(/\r\n|\r|\n/g, "\r\n")}\r\n`);
      continue;
    }
    const type = value.type || "application/octet-stream";
    yield encoder.encode(
      `${head}; filename="${escaped(filename)}"\r\nContent-Type: ${type}\r\n\r\n`,
    );
    yield* chunksOf(value.stream());
    yield encoder.encode("\r\n");
  }
  yield encoder.encode(`--${boundary}--\r\n`);
}

/** WHATWG HTML, 4.10.21.8. */
function escaped(name: string): string {
  return name.replace(/["\r\n]/g, (one) => encodeURIComponent(one));
}
