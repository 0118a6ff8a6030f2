import { JSON_FIELDS, type ResponseMaker, responsesWith } from "../runtime/mod.ts";
import { discard, isBodiless, isPlain, isRawBody, type RawBody, toJson } from "./body.ts";
import { isPieceSource, type PieceFormat, Pieces, PLAIN_PIECES } from "./pieces.ts";
import { isUpgrade } from "./serving.ts";
import { EVENT_STREAM, EVENTS } from "./server_sent_events.ts";
import { NOSNIFF } from "./with_header.ts";
import { isEventStream, isXml, withCharset } from "../text/mod.ts";
import { toXml } from "./xml.ts";

export const jsonResponse: ResponseMaker = responsesWith(JSON_FIELDS);
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
  return create(toJson(value), status, jsonResponse);
}

function create(body: BodyInit, status = 200, respond: ResponseMaker): Response {
  if (!isBodiless(status)) return respond(body, status);
  discard(body);
  return withNothing(null, status);
}

function typed(type: string, others?: Record<string, string>): ResponseMaker {
  return responsesWith({ "Content-Type": type, ...NOSNIFF, ...others });
}

/** XML if the type says so, pieces as in {@linkcode formatOf}, else JSON. @throws {TypeError} */
export function encode(value: unknown, type: string): RawBody {
  if (isRawBody(value)) return value;
  if (isPieceSource(value)) return new Pieces(value, formatOf(type)).stream();
  return isXml(type) ? toXml(value) : toJson(value);
}

/** The type of a response whose body is declared as `type`. Of bytes and files only their author knows the charset. */
export function typeOfBody(type: string, body: unknown): string {
  const isOfBytes = isRawBody(body) ? typeof body !== "string" : isUpgrade(body);
  return isOfBytes ? type : withCharset(type);
}

export function formatOf(type: string): PieceFormat {
  return isEventStream(type) ? EVENTS : PLAIN_PIECES;
}
