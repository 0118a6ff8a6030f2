import { assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { eventsIn, type StreamState } from "../../../src/features/client/_events.ts";
import type { ReceivedEvent } from "../../../src/features/client/types.ts";
import { depth } from "../../long/mod.ts";
import { EVENT_TEXTS } from "./event_texts.ts";

/** The rules of WHATWG HTML, 9.2.6, one after the other, for a text that is there as a whole. */
function interpreted(text: string): [ReceivedEvent[], StreamState] {
  const events: ReceivedEvent[] = [];
  const state: StreamState = { lastEventId: "" };
  const buffers = { data: "", event: "", id: "" };
  const complete = text.replace(/^\uFEFF/, "").replace(/\r\n|\r/g, "\n").split("\n").slice(0, -1);
  for (const line of complete) {
    const [, field = "", value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (line === "") {
      state.lastEventId = buffers.id;
      const { data, event } = buffers;
      Object.assign(buffers, { data: "", event: "" });
      if (data === "") continue;
      events.push({ type: event || "message", data: data.slice(0, -1), lastEventId: buffers.id });
    } else if (field === "data") buffers.data += `${value}\n`;
    else if (field === "event") buffers.event = value;
    else if (field === "id") buffers.id = value.includes("\0") ? buffers.id : value;
    else if (field === "retry" && /^[0-9]+$/.test(value)) {
      state.retry = Math.min(Number(value), 2 ** 31 - 1);
    }
  }
  return [events, state];
}

async function* chunks(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let start = 0;
  for (const size of sizes) yield bytes.subarray(start, start += size);
  yield await Promise.resolve(bytes.subarray(start));
}

Deno.test("eventsIn() + reads any text as the standard says, however it is cut", async () => {
  const property = fc.asyncProperty(EVENT_TEXTS, fc.array(fc.nat(9)), async (text, sizes) => {
    const state: StreamState = { lastEventId: "" };
    const bytes = new TextEncoder().encode(text);
    const events = await Array.fromAsync(eventsIn(chunks(bytes, sizes), state));
    assertEquals([events, state], interpreted(text));
  });
  await fc.assert(property, { numRuns: depth(2000, 20_000) });
});

Deno.test("eventsIn() + reads a long line in time", async () => {
  const megabytes = 16;
  const chunk = new TextEncoder().encode("a".repeat(2 ** 14));
  async function* long() {
    yield new TextEncoder().encode("data:");
    for (let count = 0; count < megabytes * 64; count++) yield chunk;
    yield await Promise.resolve(new TextEncoder().encode("\n\n"));
  }
  const start = performance.now();
  const [event] = await Array.fromAsync(eventsIn(long(), { lastEventId: "" }));
  assertEquals(event?.data.length, megabytes * 2 ** 20);
  assertEquals(performance.now() - start < 5000, true);
});
