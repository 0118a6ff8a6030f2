import { toJson } from "./body.ts";

/** One event of an event stream with more than data. */
export class ServerSentEvent {
  /** Says what went wrong, and to what. */
  constructor(
    /** A text, or a value that is written as JSON. */
    readonly data: unknown,
    readonly options: {
      /** Name of the event. */
      readonly event?: string;
      /** What a client that comes back names as the last it saw. */
      readonly id?: string;
      /** Milliseconds a client waits before it comes back. */
      readonly retry?: number;
    } = {},
  ) {}
}

/**
 * An event stream (WHATWG HTML, server-sent events) of what an iterable gives: texts and values as data,
 * {@linkcode ServerSentEvent} with name and id. The iterable is asked only as fast as the client reads, and its
 * iterator is returned when the client leaves or a value cannot be written.
 */
export function eventStream(source: AsyncIterable<unknown>): ReadableStream<Uint8Array> {
  const iterator = source[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) return controller.close();
      try {
        controller.enqueue(encoder.encode(eventText(value)));
      } catch (error) {
        controller.error(error);
        await iterator.return?.();
      }
    },
    async cancel() {
      await iterator.return?.();
    },
  }, { highWaterMark: 0 });
}

function eventText(value: unknown): string {
  const event = value instanceof ServerSentEvent ? value : new ServerSentEvent(value);
  const { data, options } = event;
  const text = typeof data === "string" ? data : toJson(data);
  const lines = Object.entries(options).filter(([, field]) => field !== undefined)
    .map(([name, field]) => `${name}: ${String(field).replace(/[\r\n\0]/g, "")}`);
  lines.push(...text.split(/\r\n|\r|\n/).map((line) => `data: ${line}`));
  return `${lines.join("\n")}\n\n`;
}
