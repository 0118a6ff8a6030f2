import { assertEquals, assertRejects } from "@std/assert";
import { Readings } from "../../src/app/server/readings.ts";
import { HttpError } from "../../src/http/mod.ts";

/** Intervals in place of the global ones, which run when the test calls them. */
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

Deno.test("Readings.inTime() + rejects with 408 what takes too long", async () => {
  using timers = intervals();
  const readings = new Readings(1);
  const slow = readings.inTime(never());
  assertEquals(await readings.inTime(Promise.resolve("read")), "read");
  timers.run(5);
  assertEquals((await assertRejects(() => slow, HttpError)).status.value, 408);
});

Deno.test("Readings.inTime() + has no timer where nothing is being read", async () => {
  using timers = intervals();
  const readings = new Readings(60);
  await readings.inTime(Promise.resolve());
  timers.run(1);
  assertEquals(timers.count(), 0);
  const slow = readings.inTime(never());
  timers.run(1);
  assertEquals(timers.count(), 1);
  timers.run(60 * 4);
  assertEquals((await assertRejects(() => slow, HttpError)).status.value, 408);
  assertEquals(timers.count(), 0);
});

Deno.test("Readings.stop() + ends the timer for good", async () => {
  using timers = intervals();
  const readings = new Readings(60);
  void readings.inTime(never());
  readings.stop();
  assertEquals(await readings.inTime(Promise.resolve("read")), "read");
  void readings.inTime(never());
  assertEquals(timers.count(), 0);
});

Deno.test("Readings.cut() + fails with 503 what is being read, with a limit of time or without", async () => {
  using _timers = intervals();
  for (const readings of [new Readings(60), new Readings(0)]) {
    const left = [readings.inTime(never()), readings.untilCut(never())];
    assertEquals(await readings.untilCut(Promise.resolve("read")), "read");
    readings.cut();
    for (const reading of left) {
      assertEquals((await assertRejects(() => reading, HttpError)).status.value, 503);
    }
    readings.stop();
  }
});
