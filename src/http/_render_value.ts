import { discard, isAsyncIterable, isBodiless, isRawBody, toJson } from "./body.ts";
import { eventStream } from "./server_sent_events.ts";

// Plain objects: each runtime reads them faster than it copies a `Headers`.
const JSON_HEADERS = { "Content-Type": "application/json" };
const TEXT_HEADERS = { "Content-Type": "text/plain;charset=UTF-8" };
const BYTES_HEADERS = { "Content-Type": "application/octet-stream" };
const EVENT_HEADERS = { "Content-Type": "text/event-stream", "Cache-Control": "no-cache" };

/** {@linkcode render} for every kind of value but responses. */
export function renderValue(value: unknown, status?: number): Response {
  if (typeof value === "string") return create(value, status, TEXT_HEADERS);
  if (typeof value !== "object") {
    if (value === undefined) return new Response(null, { status: status ?? 204 });
  } else if (value !== null) {
    if (isRawBody(value)) {
      const typed = value instanceof Blob && value.type !== "";
      return create(value, status, typed ? { "Content-Type": value.type } : BYTES_HEADERS);
    }
    if (isAsyncIterable(value)) return create(eventStream(value), status, EVENT_HEADERS);
  }
  return create(toJson(value), status, JSON_HEADERS);
}

function create(body: BodyInit, status = 200, headers: Record<string, string>): Response {
  if (!isBodiless(status)) return new Response(body, { status, headers });
  discard(body);
  return new Response(null, { status });
}
