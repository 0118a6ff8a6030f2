import { assertEquals, assertRejects } from "@std/assert";
import { render, ServerSentEvent } from "../../src/http/mod.ts";

async function* of(...values: unknown[]): AsyncGenerator<unknown> {
  for (const value of values) yield await Promise.resolve(value);
}

const EVENTS: readonly (readonly [unknown, string])[] = [
  ["text", "data: text\n\n"],
  ["", "data: \n\n"],
  ["a\nb\r\nc\rd", "data: a\ndata: b\ndata: c\ndata: d\n\n"],
  [{ a: "b\nc" }, 'data: {"a":"b\\nc"}\n\n'],
  [0, "data: 0\n\n"],
  [null, "data: null\n\n"],
  [new ServerSentEvent("a"), "data: a\n\n"],
  [
    new ServerSentEvent([1], { event: "added", id: "7", retry: 500 }),
    "event: added\nid: 7\nretry: 500\ndata: [1]\n\n",
  ],
  [new ServerSentEvent("a", { id: "", event: undefined }), "id: \ndata: a\n\n"],
  // A field must not become two.
  [
    new ServerSentEvent("a", { event: "x\ndata: forged", id: "\r1\0" }), //
    "event: xdata: forged\nid: 1\ndata: a\n\n",
  ],
];

Deno.test("ServerSentEvent + is written as the event stream format has it", async (t) => {
  for (const [value, text] of EVENTS) {
    await t.step(JSON.stringify(text), async () => {
      assertEquals(await render(of(value)).text(), text);
    });
  }
});

Deno.test("render() + sends the events of an iterable in order, not to be cached", async () => {
  const response = render(of("a", "b"));
  assertEquals(response.headers.get("Content-Type"), "text/event-stream");
  assertEquals(response.headers.get("Cache-Control"), "no-cache");
  assertEquals(await response.text(), "data: a\n\ndata: b\n\n");
});

Deno.test("render() + asks an iterable only as fast as the client reads", async () => {
  let asked = 0;
  async function* endless() {
    while (true) yield await Promise.resolve(++asked);
  }
  const reader = render(endless()).body!.getReader();
  assertEquals(asked, 0);
  await reader.read();
  await reader.read();
  assertEquals(asked, 2);
  await reader.cancel();
});

Deno.test("render() + returns the iterator when the client leaves", async () => {
  let finished = false;
  async function* endless() {
    try {
      while (true) yield await Promise.resolve("a");
    } finally {
      finished = true;
    }
  }
  const reader = render(endless()).body!.getReader();
  await reader.read();
  assertEquals(finished, false);
  await reader.cancel();
  assertEquals(finished, true);
});

Deno.test("render() + leaves an iterator without 'return' alone", async () => {
  const source = {
    [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: false, value: "a" }) }),
  };
  const reader = render(source).body!.getReader();
  await reader.read();
  await reader.cancel();
});

Deno.test("render() + breaks off when the iterable fails", async () => {
  async function* failing() {
    yield await Promise.resolve("a");
    throw new Error("Broken");
  }
  const reader = render(failing()).body!.getReader();
  await reader.read();
  await assertRejects(() => reader.read(), Error, "Broken");
});

Deno.test("render() + returns the iterator when an event cannot be written", async () => {
  let finished = false;
  async function* unwritable() {
    try {
      yield await Promise.resolve(1n);
    } finally {
      finished = true;
    }
  }
  await assertRejects(() => render(unwritable()).text(), TypeError);
  assertEquals(finished, true);
});
