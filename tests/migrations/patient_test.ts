import { assertEquals, assertRejects } from "@std/assert";
import { patient } from "../../src/migrations/patient.ts";
import { ConnectionError, type Target } from "../../src/migrations/runner/mod.ts";
import { memoryStore, memoryTarget } from "./runner/memory_target.ts";

/** A target whose server comes up at the third attempt. */
function starting(refused = false): { target: Target; attempts: () => number } {
  let attempts = 0;
  const target = memoryTarget(memoryStore());
  const open = () => {
    if (++attempts < 3) {
      return Promise.reject(new ConnectionError("memory", "Not yet", { refused }));
    }
    return target.open();
  };
  return { target: { ...target, open }, attempts: () => attempts };
}

Deno.test("patient waits until the server answers, and says so once", async () => {
  const { target, attempts } = starting();
  const notices: string[] = [];
  const session = await patient(target, 60_000, (message) => notices.push(message)).open();
  await session.close();
  assertEquals([attempts(), notices], [3, ["Waiting up to 60 s: Not yet"]]);
});

Deno.test("patient gives up when the time is over", async () => {
  const { target, attempts } = starting();
  await assertRejects(() => patient(target, 100, () => {}).open(), ConnectionError, "Not yet");
  assertEquals(attempts(), 1);
});

Deno.test("patient does not wait for a server that refuses who asks", async () => {
  const { target, attempts } = starting(true);
  await assertRejects(() => patient(target, 60_000, () => {}).open(), ConnectionError, "Not yet");
  assertEquals(attempts(), 1);
});
