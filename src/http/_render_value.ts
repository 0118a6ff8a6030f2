import { JSON_FIELDS, type ResponseMaker, responsesWith } from "../runtime/mod.ts";
import { discard, isBodiless, isPlain, isRawBody, toJson } from "./body.ts";
import { isPieceSource, Pieces } from "./pieces.ts";
import { EVENT_STREAM, EVENTS } from "./server_sent_events.ts";
import { NOSNIFF } from "./with_header.ts";

const withJson = responsesWith(JSON_FIELDS);
const withText = typed("text/plain;charset=UTF-8");
const withBytes = typed("application/octet-stream");
const withEvents = typed(EVENT_STREAM, { "Cache-Control": "no-cache" });
const withNothing = responsesWith(NOSNIFF);

export function renderValue(value: unknown, status?: number): Response {
  if (typeof value === "string") return create(value, status, withText);
  if (value === undefined) return withNothing(null, status ?? 204);
  if (!isPlain(value)) {
    if (isRawBody(value)) {
      const hasType = value instanceof Blob && value.type !== "";
      return create(value, status, hasType ? typed(value.type) : withBytes);
    }
    if (isPieceSource(value)) {
      return create(new Pieces(value, EVENTS).stream(), status, withEvents);
    }
  }
  return create(toJson(value), status, withJson);
}

function create(body: BodyInit, status = 200, respond: ResponseMaker): Response {
  if (!isBodiless(status)) return respond(body, status);
  discard(body);
  return withNothing(null, status);
}

function typed(type: string, others?: Record<string, string>): ResponseMaker {
  return responsesWith({ "Content-Type": type, ...NOSNIFF, ...others });
}
