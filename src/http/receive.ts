import type { HonoRequest } from "hono";
import { readBytes, readDirectly } from "../runtime/web.ts";
import { HttpError } from "./error.ts";
import { originalOf, type Serving } from "./serving.ts";

/** The bytes of a body; a `Uint8Array` may be a view of a shared buffer, and is passed on as a copy. */
export type Received = ArrayBuffer | Uint8Array<ArrayBuffer>;

/** Reads a body at most once; a promise unless it has arrived. @throws {HttpError} 400, 408, 503 */
export function receive<T>(
  request: HonoRequest,
  use: (bytes: Received) => T,
  serving?: Serving,
): T | Promise<T> {
  const bodyCache: { arrayBuffer?: unknown; bytes?: unknown } = request.bodyCache;
  // Other code has read it or is reading it: Hono has the bytes.
  for (const _ in bodyCache) {
    return request.arrayBuffer().then(use, (cause) => brokenOff(cause, request.raw, serving));
  }
  const direct = readDirectly(request.raw);
  // Not by what bytes are an instance of: test runners have several of that.
  if (direct !== undefined && !(direct instanceof Promise)) {
    bodyCache.bytes = Promise.resolve(direct);
    return use(direct);
  }
  const reading: Promise<Received> = direct ?? readBytes(request.raw);
  const body = serving?.readInTime?.(reading) ?? reading;
  // Hono makes of it whatever else is asked for.
  bodyCache[direct === undefined ? "arrayBuffer" : "bytes"] = body;
  return body.then(use, (cause) => brokenOff(cause, request.raw, serving));
}

/** The client broke off, unless other code read the body before (runtimes word it), or it was too long (413). */
export function brokenOff(cause: unknown, request: Request, serving?: Serving): never {
  const isOurs = cause instanceof HttpError ||
    cause instanceof TypeError && /already|unusable|locked|disturbed/i.test(cause.message);
  if (isOurs) throw cause;
  serving?.brokeOff?.(originalOf(request));
  const error = new HttpError(400, "The request body is incomplete", { cause });
  brokenOffs.add(error);
  throw error;
}

const brokenOffs = new WeakSet<object>();

export function isBrokenOff(error: unknown): boolean {
  return error instanceof HttpError && brokenOffs.has(error);
}

const LENIENT = new TextDecoder();
const STRICT = new TextDecoder("utf-8", { fatal: true });

/** The text of bytes that a client sent. @throws {TypeError} when they are not UTF-8 */
export function decodeUtf8(bytes: ArrayBuffer | Uint8Array<ArrayBuffer>): string {
  const text = LENIENT.decode(bytes);
  // Deno takes twice as long to be strict. What is malformed has become this character, which may also have been sent.
  return text.includes("\uFFFD") ? STRICT.decode(bytes) : text;
}
