import type { HonoRequest } from "hono";
import { readBytes } from "../runtime/mod.ts";
import type { Serving } from "./serving.ts";

/**
 * The body of a request, read at most once.
 *
 * @throws {HttpError} 408 when it takes longer than its server waits
 */
export function receive(request: HonoRequest, serving?: Serving): Promise<ArrayBuffer> {
  const bodyCache: BodyCache = request.bodyCache;
  // Somebody has read it already, or is about to: Hono has it.
  for (const _ in bodyCache) return request.arrayBuffer();
  const reading = readBytes(request.raw);
  const body = serving?.readInTime?.(reading) ?? reading;
  bodyCache.arrayBuffer = body;
  return body;
}

/** Hono's types have the values in it, where there are promises of them. */
interface BodyCache {
  arrayBuffer?: unknown;
}
