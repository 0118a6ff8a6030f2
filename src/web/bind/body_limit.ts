import type { Context } from "hono";
import { HttpError, replaceRequest } from "../../http/mod.ts";
import { expectBytes } from "../../runtime/web.ts";

/**
 * Limits a body, unless it is limited already: a declared length is checked at once, one without (chunked) while it is
 * read.
 *
 * @returns the 413, with which reading fails, too: other checks may run before it is the answer
 */
export function limitBody(context: Context, maxBytes: number): HttpError | undefined {
  const request = context.req.raw;
  if ((limits.get(request) ?? Infinity) <= maxBytes) return refusals.get(context);
  // After middleware has replaced the request, the length belongs to another body.
  const isReplaced = limits.has(context) && !limits.has(request);
  // A length beside a chunked body is invalid (RFC 9112, 6.3). Uses `get`, as `has` makes Deno read all headers.
  const length = isReplaced || request.headers.get("transfer-encoding") !== null
    ? null
    : request.headers.get("content-length");
  if (length !== null && /^\d+$/.test(length)) {
    if (Number(length) > maxBytes) return markRefused(context, tooLarge(maxBytes));
    expectBytes(request, Number(length));
  } else if (isReadable(request)) {
    replaceBody(context, limited(request.body!, maxBytes));
  }
  limits.set(context, maxBytes);
  limits.set(context.req.raw, maxBytes);
  return undefined;
}

function markRefused(context: Context, error: HttpError): HttpError {
  refusals.set(context, error);
  if (isReadable(context.req.raw)) {
    const pull = (controller: ReadableStreamDefaultController) => controller.error(error);
    replaceBody(context, new ReadableStream({ pull }, { highWaterMark: 0 }));
  }
  limits.set(context.req.raw, 0);
  return error;
}

/** A body that was read was within another limit; and no `Request` with a body can have these methods. */
function isReadable({ body, bodyUsed, method }: Request): boolean {
  return body !== null && !bodyUsed && !BODILESS.test(method);
}

const refusals = new WeakMap<Context, HttpError>();

const BODILESS = /^(?:get|head|connect|trace|track)$/i;

const limits = new WeakMap<Request | Context, number>();

/** The signal is read lazily, as Deno warns about unused ones. */
function replaceBody({ req }: Context, body: ReadableStream): void {
  const request = req.raw;
  const { url, method, headers } = request;
  // Every runtime requires `duplex` for streams; TypeScript's types lack it.
  const replaced = new Request(url, { method, headers, body, duplex: "half" } as RequestInit);
  Object.defineProperty(replaced, "signal", { get: () => request.signal });
  req.raw = replaceRequest(request, replaced);
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
