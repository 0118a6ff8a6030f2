import { assertEquals, assertRejects } from "@std/assert";
import { InFlight } from "../../src/app/server/in_flight.ts";

const get = () => new Request("http://localhost/");
const post = () => new Request("http://localhost/", { method: "POST" });
const events = (body: ReadableStream<Uint8Array>) =>
  new Response(body, { headers: { "Content-Type": "text/event-stream" } });
const unexpected = (error: unknown) => {
  throw error;
};

/** Whether a promise is settled by now. */
function isSettled(promise: Promise<unknown>): Promise<boolean> {
  return Promise.race([promise.then(() => true), Promise.resolve().then(() => false)]);
}

/** A body that a generator makes. */
function generated(texts: AsyncIterable<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const iterator = texts[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    cancel: async () => void await iterator.return?.(),
  }, { highWaterMark: 0 });
}

Deno.test("InFlight.idle() + waits for every request", async () => {
  const inFlight = new InFlight();
  await inFlight.idle();
  const [one, other] = [get(), get()];
  inFlight.enter(one);
  inFlight.enter(other);
  const idle = inFlight.idle();
  inFlight.leave(one);
  assertEquals([inFlight.count, await isSettled(idle)], [1, false]);
  inFlight.leave(other);
  await idle;
});

Deno.test("InFlight.uploaded() + waits for requests that may have a body, until they are answered", async () => {
  const inFlight = new InFlight();
  const [reading, sending] = [get(), post()];
  inFlight.enter(reading);
  await inFlight.uploaded();
  inFlight.enter(sending);
  const uploaded = inFlight.uploaded();
  assertEquals(await isSettled(uploaded), false);
  inFlight.answered(sending);
  await uploaded;
  assertEquals(inFlight.count, 2);
});

Deno.test("InFlight.track() + counts until the body is read", async () => {
  const inFlight = new InFlight();
  const request = get();
  inFlight.enter(request);
  const response = inFlight.track(request, new Response("body"), unexpected);
  assertEquals(inFlight.count, 1);
  assertEquals(await response.text(), "body");
  assertEquals(inFlight.count, 0);
});

Deno.test("InFlight.track() + cuts a body that fails, and tells only the server why", async () => {
  const inFlight = new InFlight();
  const request = get();
  inFlight.enter(request);
  const failures: unknown[] = [];
  const body = generated((async function* () {
    yield "first";
    await Promise.resolve();
    throw new Error("secret");
  })());
  const response = inFlight.track(request, new Response(body), (error) => failures.push(error));
  const { message } = await assertRejects(() => response.text()) as Error;
  assertEquals(message, "The body of the response failed");
  assertEquals(String(failures), "Error: secret");
  assertEquals(inFlight.count, 0);
});

Deno.test("InFlight.track() + counts a body that is not read until its source has ended", async () => {
  const inFlight = new InFlight();
  const request = get();
  inFlight.enter(request);
  const ended = Promise.withResolvers<void>();
  const response = inFlight.track(
    request,
    new Response(new ReadableStream({ cancel: () => ended.promise })),
    unexpected,
  );
  const cancelled = response.body!.cancel();
  assertEquals(inFlight.count, 1);
  ended.resolve();
  await cancelled;
  assertEquals(inFlight.count, 0);
});

Deno.test("InFlight.endEvents() + ends event streams and their signals, and nothing else", async () => {
  const inFlight = new InFlight();
  const [streaming, working] = [get(), get()];
  inFlight.enter(streaming);
  inFlight.enter(working);
  const { signal } = inFlight.controllerOf(streaming)!;
  const other = inFlight.controllerOf(working)!.signal;
  const order: string[] = [];
  const waiting = Promise.withResolvers<void>();
  async function* forever(): AsyncGenerator<string> {
    try {
      yield "first";
      waiting.resolve();
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      order.push("aborted");
      yield "never sent";
    } finally {
      order.push("finally");
    }
  }
  const response = inFlight.track(streaming, events(generated(forever())), unexpected);
  const reader = response.body!.getReader();
  assertEquals(new TextDecoder().decode((await reader.read()).value), "first");
  const rest = reader.read();
  await waiting.promise;
  inFlight.endEvents(10_000);
  assertEquals((await rest).done, true);
  inFlight.leave(working);
  await inFlight.idle();
  assertEquals(order, ["aborted", "finally"]);
  assertEquals([signal.aborted, other.aborted], [true, false]);
});

Deno.test("InFlight.endEvents() + does not wait for long for a source that sleeps", async () => {
  const inFlight = new InFlight();
  const request = get();
  inFlight.enter(request);
  const never = new ReadableStream<Uint8Array>({ cancel: () => new Promise(() => {}) });
  const response = inFlight.track(request, events(never), unexpected);
  inFlight.endEvents(0);
  assertEquals(await response.text(), "");
  await inFlight.idle();
  assertEquals(inFlight.count, 0);
});

Deno.test("InFlight.cut() + aborts every signal and cuts every body", async () => {
  const inFlight = new InFlight();
  const [streaming, working] = [get(), post()];
  inFlight.enter(streaming);
  inFlight.enter(working);
  const { signal } = inFlight.controllerOf(working)!;
  const response = inFlight.track(streaming, new Response(new ReadableStream()), unexpected);
  inFlight.cut();
  await assertRejects(() => response.text(), Error, "The server has ended");
  assertEquals([signal.aborted, (signal.reason as Error).name], [true, "AbortError"]);
});

Deno.test("InFlight.controllerOf() + has none for a request that is not counted any more", () => {
  const inFlight = new InFlight();
  const request = get();
  inFlight.enter(request);
  assertEquals(inFlight.controllerOf(request), inFlight.controllerOf(request));
  inFlight.leave(request);
  assertEquals(inFlight.controllerOf(request), undefined);
});

Deno.test("InFlight.begin() + counts a request until it is answered, and longer where it is kept", async () => {
  const inFlight = new InFlight();
  const [answered, kept, asked] = [post(), post(), get()];
  inFlight.begin(answered);
  assertEquals(inFlight.count, 1);
  inFlight.answered(answered);
  inFlight.leave(answered);
  assertEquals(inFlight.count, 0);
  inFlight.begin(kept);
  // As a handler does that ends its application.
  const [uploaded, idle] = [inFlight.uploaded(), inFlight.idle()];
  inFlight.keep();
  assertEquals([await isSettled(uploaded), await isSettled(idle)], [false, false]);
  inFlight.begin(asked);
  inFlight.controllerOf(asked);
  inFlight.leave(asked);
  assertEquals([inFlight.count, await isSettled(idle)], [1, false]);
  inFlight.answered(kept);
  await uploaded;
  inFlight.leave(kept);
  await idle;
  assertEquals(inFlight.controllerOf(kept), undefined);
});

Deno.test("InFlight.track() + goes on counting a request that was only begun", async () => {
  const inFlight = new InFlight();
  const request = post();
  inFlight.begin(request);
  inFlight.answered(request);
  const response = inFlight.track(request, new Response("body"), unexpected);
  await inFlight.uploaded();
  assertEquals(inFlight.count, 1);
  await response.text();
  await inFlight.idle();
});
