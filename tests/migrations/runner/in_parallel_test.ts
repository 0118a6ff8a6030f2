import { assertEquals, assertRejects } from "@std/assert";
import { allOrStop, inParallel } from "../../../src/migrations/runner/mod.ts";

Deno.test("allOrStop + aborts the other parts and awaits them before it throws the first failure", async () => {
  const log: string[] = [];
  const stopped = async (signal: AbortSignal) => {
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    await Promise.resolve();
    log.push("ended");
    throw new Error("second");
  };
  const failing = () => Promise.reject(new Error("first"));

  await assertRejects(() => allOrStop([stopped, failing]), Error, "first");

  assertEquals(log, ["ended"]);
});

Deno.test("allOrStop + ends when all parts have succeeded", async () => {
  const log: number[] = [];
  await allOrStop([1, 2].map((number) => async (signal) => {
    await Promise.resolve();
    log.push(number);
    assertEquals(signal.aborted, false);
  }));
  assertEquals(log, [1, 2]);
});

Deno.test("inParallel + awaits items under way and begins none after a failure", async () => {
  const [begun, ended]: [number[], number[]] = [[], []];
  const failing = inParallel([1, 2, 3, 4], 2, async (item) => {
    begun.push(item);
    if (item === 1) throw new Error("refused");
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    ended.push(item);
  });

  await assertRejects(() => failing, Error, "refused");

  assertEquals([begun, ended], [[1, 2], [2]]);
});
