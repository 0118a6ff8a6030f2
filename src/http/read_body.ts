import type { HonoRequest } from "hono";
import { readBytes } from "../runtime/mod.ts";
import { HttpError } from "./error.ts";
import type { Serving } from "./serving.ts";

/** Lets bodies of a request take no longer to read than its server says. */
export function limitReading(request: Request, serving: Serving): void {
  servers.set(request, serving);
}

/**
 * The body of a request, read at most once.
 *
 * @throws {HttpError} 408 when it takes too long, 400 when the client breaks off
 */
export function readBody(request: HonoRequest): Promise<ArrayBuffer> {
  const { bodyCache, raw } = request;
  // Somebody has read it already, or is about to: Hono has it.
  for (const _ in bodyCache) return request.arrayBuffer();
  if (raw.bodyUsed) return request.arrayBuffer();
  return bodyCache.arrayBuffer = inTime(request, readBytes(raw));
}

/**
 * What somebody else makes of the body of a request.
 *
 * @throws {HttpError} 408 when it takes too long
 */
export function inTime<T>(request: HonoRequest, reading: Promise<T>): Promise<T> {
  const serving = servers.get(request.raw);
  return serving?.readInTime?.(reading) ?? reading;
}

const servers = new WeakMap<Request, Serving>();
