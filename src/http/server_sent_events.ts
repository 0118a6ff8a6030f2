import { toJson } from "./body.ts";
import { brand } from "./brand.ts";
import type { PieceFormat } from "./pieces.ts";

/** One event of an event stream with more than data. */
export class ServerSentEvent {
  static {
    brand(this, "ServerSentEvent");
  }

  constructor(
    readonly data: unknown,
    readonly options: {
      /** Name of the event. */
      readonly event?: string;
      /** A client that reconnects sends it as the last event that it received. */
      readonly id?: string;
      /** Milliseconds a client waits before it comes back. */
      readonly retry?: number;
    } = {},
  ) {}
}

export const EVENT_STREAM = "text/event-stream";

const encoder = new TextEncoder();

/**
 * The format of event streams (WHATWG HTML, server-sent events): texts and values as data, {@linkcode ServerSentEvent}
 * with name and id.
 */
export const EVENTS: PieceFormat = {
  encode: (piece) => encoder.encode(eventText(piece)),
  silence: encoder.encode(":\n\n"),
};

function eventText(value: unknown): string {
  const event = value instanceof ServerSentEvent ? value : new ServerSentEvent(value);
  const { data, options } = event;
  const text = typeof data === "string" ? data : toJson(data);
  const lines = Object.entries(options).filter(([, field]) => field !== undefined)
    .map(([name, field]) => `${name}: ${String(field).replace(/[\r\n\0]/g, "")}`);
  lines.push(...text.split(/\r\n|\r|\n/).map((line) => `data: ${line}`));
  return `${lines.join("\n")}\n\n`;
}
