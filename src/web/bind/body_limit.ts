import type { Context } from "hono";
import { HttpError, replaceRequest } from "../../http/mod.ts";
import { expectBytes } from "../../runtime/web.ts";

/** A declared length is checked at once; a body without one (chunked) fails while it is read. @throws {HttpError} 413 */
export function limitBody(context: Context, maxBytes: number): void {
  const request = context.req.raw;
  const { headers } = request;
  // A length beside a chunked body is invalid (RFC 9112, 6.3). Uses `get`, as `has` makes Deno read all headers.
  const chunked = headers.get("transfer-encoding") !== null;
  const length = chunked ? null : headers.get("content-length");
  if (length !== null && /^\d+$/.test(length)) {
    if (Number(length) > maxBytes) throw tooLarge(maxBytes);
    expectBytes(request, Number(length));
  } else if (request.body !== null && (limits.get(request) ?? Infinity) > maxBytes) {
    // A body that was read was within another limit; and no `Request` with a body can have these methods.
    if (request.bodyUsed || BODILESS.test(request.method)) return;
    context.req.raw = withBody(request, limited(request.body, maxBytes));
    limits.set(context.req.raw, maxBytes);
  }
}

/**
 * Refuses a body that is too long, but lets other checks run before: reading it fails with the error that is returned.
 *
 * @param maxBytes left out where what stands before has looked already
 */
export function refusalOf(context: Context, maxBytes?: number): HttpError | undefined {
  if (maxBytes === undefined) return refusals.get(context);
  try {
    limitBody(context, maxBytes);
  } catch (error) {
    refuse(context, error as HttpError);
  }
  return refusals.get(context);
}

function refuse(context: Context, error: HttpError): void {
  const request = context.req.raw;
  refusals.set(context, error);
  if (request.bodyUsed || BODILESS.test(request.method)) return;
  const failing = new ReadableStream({ pull: (controller) => controller.error(error) }, {
    highWaterMark: 0,
  });
  context.req.raw = withBody(request, failing);
}

const refusals = new WeakMap<Context, HttpError>();

const BODILESS = /^(?:get|head|connect|trace|track)$/i;

const limits = new WeakMap<Request, number>();

/** The signal is read lazily, as Deno warns about unused ones. */
function withBody(request: Request, body: ReadableStream): Request {
  const { url, method, headers } = request;
  // Every runtime requires `duplex` for streams; TypeScript's types lack it.
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
