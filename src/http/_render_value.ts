import { isRawBody, toJson } from "./body.ts";
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
    if (Symbol.asyncIterator in value) {
      return create(eventStream(value as AsyncIterable<unknown>), status, EVENT_HEADERS);
    }
  }
  return create(toJson(value), status, JSON_HEADERS);
}

function create(body: BodyInit, status = 200, headers: Record<string, string>): Response {
  const empty = status === 204 || status === 205 || status === 304;
  return new Response(empty ? null : body, { status, headers: empty ? undefined : headers });
}
