import { type ResponseMaker, responsesWith } from "../runtime/web.ts";
import { isEventStream, isXml, withCharset } from "../text/mod.ts";
import { discard, isBodiless, isPlain, type RawBody, toJson } from "./body.ts";
import {
  isPieceSource,
  type PieceFormat,
  Pieces,
  type PieceSource,
  PLAIN_PIECES,
} from "./pieces.ts";
import { EVENT_STREAM, EVENTS } from "./server_sent_events.ts";
import { isUpgrade } from "./serving.ts";
import { NOSNIFF } from "./with_header.ts";
import { toXml } from "./xml.ts";

/** How a kind of value is written as the body of a response. */
interface BodyKind<V = unknown> {
  readonly type: string;
  readonly isBinary?: true;
  is(value: unknown): value is V;
  encode(value: V, type: string): RawBody;
}

const encode = (value: RawBody): RawBody => value;

export const TEXT: BodyKind<string> = {
  type: "text/plain",
  is: (value) => typeof value === "string",
  encode,
};

export const BYTES: BodyKind<Exclude<RawBody, string>> = {
  type: "application/octet-stream",
  isBinary: true,
  is: (value): value is Exclude<RawBody, string> =>
    ArrayBuffer.isView(value) || value instanceof ArrayBuffer || value instanceof Blob ||
    value instanceof ReadableStream,
  encode,
};

const PIECES: BodyKind<PieceSource> = {
  type: EVENT_STREAM,
  is: isPieceSource,
  encode: (value, type) => new Pieces(value, formatOf(type)).stream(),
};

export const DATA: BodyKind = {
  type: "application/json",
  is: (_): _ is unknown => true,
  encode: (value, type) => isXml(type) ? toXml(value) : toJson(value),
};

const BODY_KINDS: readonly BodyKind[] = [TEXT, BYTES, PIECES, DATA];

export function bodyKindOf(value: unknown): BodyKind {
  if (typeof value !== "string" && isPlain(value)) return DATA;
  return BODY_KINDS.find((kind) => kind.is(value))!;
}

/** Whether XML has an element for each part of a value: other values are JSON also where XML is asked for. */
export function isStructure(value: unknown): boolean {
  return typeof value === "object" && value !== null && bodyKindOf(value) === DATA;
}

export function formatOf(type: string): PieceFormat {
  return isEventStream(type) ? EVENTS : PLAIN_PIECES;
}

export function renderBody(value: unknown, status?: number, asked?: string): Response {
  if (value === undefined) return withNothing(null, status ?? 204);
  const kind = bodyKindOf(value);
  const own = value instanceof Blob && value.type || kind.type;
  const body = kind.encode(value, asked && (kind !== DATA || isStructure(value)) ? asked : own);
  if (status !== undefined && isBodiless(status)) {
    discard(body);
    return withNothing(null, status);
  }
  return responseMaker(typeOfBody(value, asked ?? own))(body, status ?? 200);
}

export function responseMaker(type: string): ResponseMaker {
  const known = makers.get(type);
  if (known !== undefined) return known;
  // Proxies must not keep events back, nor give them to others.
  const caching = isEventStream(type) && { "Cache-Control": "no-cache" };
  const made = responsesWith({ "Content-Type": type, ...NOSNIFF, ...caching });
  // Files may have any type.
  if (makers.size < 100) makers.set(type, made);
  return made;
}

const makers = new Map<string, ResponseMaker>();

const withNothing = responsesWith(NOSNIFF);

/** The type of a response whose body is declared as `type`. Of bytes and files only their author knows the charset. */
export function typeOfBody(body: unknown, type: string): string {
  return bodyKindOf(body).isBinary || isUpgrade(body) ? type : withCharset(type);
}
