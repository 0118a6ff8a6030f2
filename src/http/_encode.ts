import { isEventStream, isXml } from "../text/mod.ts";
import { isRawBody, type RawBody, toJson } from "./body.ts";
import { isPieceSource, type PieceFormat, Pieces, PLAIN_PIECES } from "./pieces.ts";
import { EVENTS } from "./server_sent_events.ts";
import { toXml } from "./xml.ts";

/** XML if the type says so, pieces as in {@linkcode formatOf}, else JSON. @throws {TypeError} */
export function encode(value: unknown, type: string): RawBody {
  if (isRawBody(value)) return value;
  if (isPieceSource(value)) return new Pieces(value, formatOf(type)).stream();
  return isXml(type) ? toXml(value) : toJson(value);
}

/** How pieces are written in a media type: as events where it is that of event streams, otherwise as they are. */
export function formatOf(type: string): PieceFormat {
  return isEventStream(type) ? EVENTS : PLAIN_PIECES;
}
