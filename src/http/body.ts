/** What a `Response` takes as it is. */
export type RawBody = string | ArrayBufferView<ArrayBuffer> | ArrayBuffer | Blob | ReadableStream;

/** Whether a `Response` takes the value as it is. */
export function isRawBody(value: unknown): value is RawBody {
  return typeof value === "string" || ArrayBuffer.isView(value) || value instanceof ArrayBuffer ||
    value instanceof Blob || value instanceof ReadableStream;
}

/** Whether a value is given piece by piece. Streams are too, but a `Response` takes them as they are. */
export function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

/** Whether responses of this status have no body (RFC 9110, 15.3.5, 15.3.6 and 15.4.5). */
export function isBodiless(status: number): boolean {
  return status === 204 || status === 205 || status === 304;
}

/** Tells the source of a body that nobody is going to read it. */
export function discard(body: unknown): void {
  // Nobody is left who could be told that closing it failed.
  if (body instanceof ReadableStream) body.cancel().catch(() => {});
  else if (isAsyncIterable(body)) close(body).catch(() => {});
}

/**
 * The text of a value in JSON.
 *
 * @throws {TypeError} for what JSON cannot hold: a bigint, a cycle, a function, a symbol
 */
export function toJson(value: unknown): string {
  const text = JSON.stringify(value);
  if (text === undefined) throw new TypeError(`Cannot write a value as JSON: it is ${kind(value)}`);
  return text;
}

async function close(source: AsyncIterable<unknown>): Promise<void> {
  await source[Symbol.asyncIterator]().return?.();
}

function kind(value: unknown): string {
  if (value === undefined) return "undefined";
  return typeof value === "object" ? "an object that says so itself" : `a ${typeof value}`;
}
