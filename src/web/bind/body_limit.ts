import type { Context } from "hono";
import { HttpError, replaceRequest } from "../../http/mod.ts";
import { expectBytes } from "../../runtime/mod.ts";

/**
 * A declared length is checked at once; a body without one (chunked) fails while it is read.
 *
 * @throws {HttpError} 413
 */
export function limitBody(context: Context, maxBytes: number): void {
  const request = context.req.raw;
  const { headers } = request;
  // Where a body is chunked, a length beside it is a lie (RFC 9112, 6.3). Not by has(), for which Deno takes all headers.
  const chunked = headers.get("transfer-encoding") !== null;
  const length = chunked ? null : headers.get("content-length");
  if (length !== null && /^\d+$/.test(length)) {
    if (Number(length) > maxBytes) throw tooLarge(maxBytes);
    expectBytes(request, Number(length));
  } else if (request.body !== null && (limits.get(request) ?? Infinity) > maxBytes) {
    // What was read already was within another limit, and is kept by Hono; of these methods no request can be made.
    if (request.bodyUsed || BODILESS.test(request.method)) return;
    context.req.raw = withBody(request, limited(request.body, maxBytes));
    limits.set(context.req.raw, maxBytes);
  }
}

/**
 * Defers the rejection of a body behind other checks: code that reads the body until then fails with `error`.
 */
export function refuseBody(context: Context, error: unknown): void {
  const request = context.req.raw;
  refusals.set(context, error);
  if (request.bodyUsed || BODILESS.test(request.method)) return;
  const failing = new ReadableStream({ pull: (controller) => controller.error(error) }, {
    highWaterMark: 0,
  });
  context.req.raw = withBody(request, failing);
}

export function bodyRefusal(context: Context): unknown {
  return refusals.get(context);
}

const refusals = new WeakMap<Context, unknown>();

const BODILESS = /^(?:get|head|connect|trace|track)$/i;

const limits = new WeakMap<Request, number>();

/** The same request with another body; its signal is only touched by who asks for it, as Deno warns of that. */
function withBody(request: Request, body: ReadableStream): Request {
  const { url, method, headers } = request;
  // `duplex` is missing in TypeScript's types, and without it no runtime takes a stream.
  const replaced = new Request(url, { method, headers, body, duplex: "half" } as RequestInit);
  Object.defineProperty(replaced, "signal", { get: () => request.signal });
  return replaceRequest(request, replaced);
}

/** Reads nothing before other code does: the user may not be authenticated yet. */
function limited(body: ReadableStream<Uint8Array>, maxBytes: number): ReadableStream<Uint8Array> {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  let size = 0;
  return new ReadableStream({
    async pull(controller) {
      reader ??= body.getReader();
      const { done, value } = await reader.read();
      if (done) return controller.close();
      size += value.byteLength;
      if (size <= maxBytes) return controller.enqueue(value);
      const error = tooLarge(maxBytes);
      controller.error(error);
      reader.cancel(error).catch(() => {}); // The reader receives the error.
    },
    cancel: (reason) => (reader ?? body).cancel(reason),
  }, { highWaterMark: 0 });
}

function tooLarge(maxBytes: number): HttpError {
  return new HttpError(413, `The request body is larger than ${maxBytes} bytes`);
}
