import { toXml } from "./xml.ts";

/** What a `Response` takes as it is. */
export type RawBody = string | Uint8Array<ArrayBuffer> | ArrayBuffer | Blob | ReadableStream;

/**
 * The text of a value in JSON.
 *
 * @throws {TypeError} for what JSON cannot hold: a bigint, a cycle, a function, a symbol
 */
export function toJson(value: unknown): string {
  const text = JSON.stringify(value);
  if (text === undefined) throw new TypeError(`Cannot write a ${typeof value} as JSON`);
  return text;
}

/** Whether a `Response` takes the value as it is. */
export function isRawBody(value: unknown): value is RawBody {
  return typeof value === "string" || value instanceof Uint8Array || value instanceof ArrayBuffer ||
    value instanceof Blob || value instanceof ReadableStream;
}

/** A value as the body of a response of this media type: XML where the type says so, otherwise JSON. */
export function encode(value: unknown, type: string | null): RawBody {
  if (isRawBody(value)) return value;
  return type !== null && isXml(type) ? toXml(value) : toJson(value);
}

function isXml(type: string): boolean {
  return /^(?:application|text)\/(?:[^;]*\+)?xml\s*(?:;|$)/i.test(type);
}
