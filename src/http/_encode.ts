import { isAsyncIterable, isRawBody, type RawBody, toJson } from "./body.ts";
import { eventStream } from "./server_sent_events.ts";
import { toXml } from "./xml.ts";

/**
 * A value as the body of a response whose media type is set: XML where the type says so, events of an async
 * iterable, otherwise JSON.
 *
 * @throws {TypeError} when the value cannot be written in that type
 */
export function encode(value: unknown, type: string): RawBody {
  if (isRawBody(value)) return value;
  if (!isAsyncIterable(value)) return isXml(type) ? toXml(value) : toJson(value);
  if (/^text\/event-stream\s*(?:;|$)/i.test(type)) return eventStream(value);
  throw new TypeError(
    `Cannot send an async iterable as '${type}': expected 'text/event-stream', or a ReadableStream of bytes`,
  );
}

function isXml(type: string): boolean {
  return /^(?:application|text)\/(?:[^;]*\+)?xml\s*(?:;|$)/i.test(type);
}
