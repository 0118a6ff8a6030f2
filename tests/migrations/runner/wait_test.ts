import { assert, assertEquals, assertRejects } from "@std/assert";
import { withWaitNotice } from "../../../src/migrations/runner/mod.ts";

Deno.test("withWaitNotice ignores a notice that fails, and gives no other", async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  let calls = 0;
  const notify = async () => {
    calls++;
    await Promise.resolve();
    resolve("done");
    throw new Error("onNotice failed");
  };
  assertEquals(await withWaitNotice(() => promise, notify, 1), "done");
  assertEquals(calls, 1);
});

Deno.test("withWaitNotice throws the error of the work, and not that of a notice", async () => {
  const { promise, reject } = Promise.withResolvers<string>();
  // The notice is pending when the work fails, and fails after it.
  const notify = async () => {
    reject(new Error("work failed"));
    await promise.catch(() => {});
    throw new Error("onNotice failed");
  };
  await assertRejects(() => withWaitNotice(() => promise, notify, 1), Error, "work failed");
});

Deno.test("withWaitNotice calls once at a time, until the notice is given", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let [calls, pending] = [0, 0];
  const notify = async () => {
    assertEquals(++pending, 1);
    calls++;
    await new Promise((resolve) => setTimeout(resolve, 5));
    pending--;
    if (calls === 3) setTimeout(resolve, 20);
    return calls === 3;
  };
  await withWaitNotice(() => promise, notify, 1);
  assertEquals([calls, pending], [3, 0]);
});

Deno.test("withWaitNotice waits for a notice that is pending when the work ends", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let isGiven = false;
  await withWaitNotice(() => promise, async () => {
    resolve();
    await new Promise((resolve) => setTimeout(resolve, 5));
    isGiven = true;
    return true;
  }, 1);
  assert(isGiven);
});
