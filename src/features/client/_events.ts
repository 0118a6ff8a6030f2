import { pause } from "../../runtime/retry.ts";
import { isEventStream } from "../../text/media_type.ts";
import { repeat } from "./_retry.ts";
import type { CallOptions, ReceivedEvent } from "./types.ts";

/** Milliseconds before a stream is opened again, where the server sends no `retry`. */
const RECONNECT = 3000;
const LONGEST = 2 ** 31 - 1;

/** The state that outlives a connection. */
export interface StreamState {
  lastEventId: string;
  /** In milliseconds. */
  retry?: number;
}

/**
 * The events of a stream, which is opened again when it ends or breaks off, as `EventSource` does (WHATWG HTML, 9.2), but
 * only if the server has sent an `id` or a `retry`: any other one may not be meant to be resumed.
 */
export async function* follow(
  label: string,
  open: (headers: Headers) => Promise<Response>,
  { headers: own, signal }: CallOptions,
): AsyncGenerator<ReceivedEvent, void> {
  const state: StreamState = { lastEventId: "" };
  for (let attempts = 1;; attempts = Infinity) {
    const headers = new Headers(own);
    // A header takes bytes.
    const id = String.fromCharCode(...new TextEncoder().encode(state.lastEventId));
    if (id !== "") headers.set("last-event-id", id);
    const delay = Math.max(state.retry ?? RECONNECT, 100);
    const limits = { attempts, delay, maxDelay: Math.max(60_000, delay) };
    const response = await repeat(() => open(headers), limits, signal);
    if (response.status === 204) return;
    const type = response.headers.get("content-type");
    if (!isEventStream(type) || response.body === null) {
      await response.body?.cancel();
      throw new TypeError(`Cannot follow ${label}: expected 'text/event-stream', found '${type}'`);
    }
    const isResumed = () => state.lastEventId !== "" || state.retry !== undefined;
    try {
      yield* eventsIn(chunksOf(response.body), state);
    } catch (error) {
      if (signal?.aborted || !isResumed()) throw error;
    }
    if (!isResumed()) return;
    await pause(state.retry ?? RECONNECT, signal);
  }
}

/** Some browsers cannot iterate over a stream. A loop that is left cancels it. */
async function* chunksOf<T>(stream: ReadableStream<T>): AsyncGenerator<T, void> {
  const reader = stream.getReader();
  try {
    for (let read; !(read = await reader.read()).done;) yield read.value;
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** WHATWG HTML, 9.2.6. */
export async function* eventsIn(
  chunks: AsyncIterable<Uint8Array>,
  state: StreamState,
): AsyncGenerator<ReceivedEvent, void> {
  let [data, type, id]: [string[], string, string] = [[], "", state.lastEventId];
  for await (const lines of linesIn(chunks)) {
    for (const line of lines) {
      if (line === "") {
        state.lastEventId = id;
        if (data.length > 0) {
          yield { type: type || "message", data: data.join("\n"), lastEventId: id };
        }
        [data, type] = [[], ""];
        continue;
      }
      const [field, value] = fieldOf(line);
      if (field === "data") data.push(value);
      else if (field === "event") type = value;
      else if (field === "id" && !value.includes("\0")) id = value;
      else if (field === "retry" && /^\d+$/.test(value)) {
        state.retry = Math.min(Number(value), LONGEST);
      }
    }
  }
}

function fieldOf(line: string): readonly [name: string, value: string] {
  const colon = line.indexOf(":");
  return colon < 0 ? [line, ""] : [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, "")];
}

/** The lines that each chunk completes; a line without an end is dropped. */
async function* linesIn(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let rest = "";
  // A byte order mark at the start, the rest of a line end later.
  let skipped = "\uFEFF";
  for await (const chunk of chunks) {
    const decoded = decoder.decode(chunk, { stream: true });
    if (decoded === "") continue;
    const text: string = skipped && decoded.startsWith(skipped) ? decoded.slice(1) : decoded;
    skipped = text.endsWith("\r") ? "\n" : "";
    const [first = "", ...lines] = text.split(/\r\n|\r|\n/);
    lines.unshift(rest + first);
    rest = lines.pop() ?? "";
    yield lines;
  }
}
