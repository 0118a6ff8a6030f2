import { assertEquals, assertRejects } from "@std/assert";
import { Deadlines } from "../../src/app/deadlines.ts";
import { HttpError } from "../../src/http/mod.ts";

/** Intervals in place of the global ones, which run when they are told to. */
function intervals(): Intervals & Disposable {
  const running = new Map<number, () => void>();
  const { setInterval, clearInterval } = globalThis;
  let last = 0;
  Object.assign(globalThis, {
    setInterval: (callback: () => void) => {
      running.set(++last, callback);
      return last;
    },
    clearInterval: (id: number) => running.delete(id),
  });
  return {
    count: () => running.size,
    run(times) {
      for (let time = 0; time < times; time++) running.forEach((callback) => callback());
    },
    [Symbol.dispose]: () => Object.assign(globalThis, { setInterval, clearInterval }),
  };
}

interface Intervals {
  readonly count: () => number;
  readonly run: (times: number) => void;
}

const never = () => new Promise<never>(() => {});

Deno.test("Deadlines.keep() + rejects with 408 what takes too long", async () => {
  using timers = intervals();
  const deadlines = new Deadlines(1);
  const slow = deadlines.keep(never());
  assertEquals(await deadlines.keep(Promise.resolve("read")), "read");
  timers.run(5);
  assertEquals((await assertRejects(() => slow, HttpError)).status.value, 408);
});

Deno.test("Deadlines.keep() + has no timer where nothing is being read", async () => {
  using timers = intervals();
  const deadlines = new Deadlines(60);
  await deadlines.keep(Promise.resolve());
  timers.run(1);
  assertEquals(timers.count(), 0);
  const slow = deadlines.keep(never());
  timers.run(1);
  assertEquals(timers.count(), 1);
  timers.run(60 * 4);
  assertEquals((await assertRejects(() => slow, HttpError)).status.value, 408);
  assertEquals(timers.count(), 0);
});

Deno.test("Deadlines.stop() + ends the timer for good", async () => {
  using timers = intervals();
  const deadlines = new Deadlines(60);
  void deadlines.keep(never());
  deadlines.stop();
  assertEquals(await deadlines.keep(Promise.resolve("read")), "read");
  void deadlines.keep(never());
  assertEquals(timers.count(), 0);
});
