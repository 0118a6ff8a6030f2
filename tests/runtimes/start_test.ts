/** Signals while an application starts, on each runtime as processes have them. */
import { assertEquals, assertMatch } from "@std/assert";
import { onEachRuntime } from "./processes.ts";
import { get, Talk } from "./talk.ts";

onEachRuntime("slow_start", (test) => {
  for (
    const [what, closed] of [
      ["a factory", ["second", "first"]],
      ["a method", ["third", "second", "first"]],
      ["an extension", ["users", "third", "second", "first"]],
    ] as const
  ) {
    for (const [signal, code] of [["SIGTERM", 143], ["SIGINT", 130]] as const) {
      test(`${signal} while the start waits for ${what} closes what there is`, async (running) => {
        await running.line(/^waiting$/);
        running.kill(signal);
        const ended = await running.ended();
        assertEquals(ended.lines.slice(2).map((line) => line.split(" ")[0]), [...closed]);
        assertEquals([ended.code, await running.errors()], [code, ""]);
      }, { WAITS_FOR: what });
    }
  }

  test("a second signal while the start is given up does not wait", async (running) => {
    await running.line(/^waiting$/);
    running.kill("SIGINT");
    await running.line(/^second is closed$/);
    running.kill("SIGINT");
    const { code, lines } = await running.ended();
    assertEquals([code, lines.at(-1)], [1, "second is closed"]);
  }, { WAITS_FOR: "a factory", HANGS: "yes" });

  test("a start that is given up waits for other applications", async (running, url) => {
    await running.line(/^waiting$/);
    const slow = new Talk(url, get("/slow"));
    await running.line(/^slow is reached$/);
    running.kill("SIGTERM");
    assertMatch(await slow.ended(), /slow but finished$/);
    const { code, lines } = await running.ended();
    assertEquals([code, lines.at(-1)], [143, "slow is closed"]);
  }, { WAITS_FOR: "a factory", BESIDE: "yes" });

  test("a start that begins while the process ends builds nothing", async (running, url) => {
    const slow = new Talk(url, get("/slow"));
    await running.line(/^slow is reached$/);
    running.kill("SIGTERM");
    assertMatch(await slow.ended(), /slow but finished$/);
    const { code, lines } = await running.ended();
    assertEquals(lines.slice(2), ["slow is reached", "slow is closed"]);
    assertEquals(code, 143);
  }, { WAITS_FOR: "a method", BESIDE: "later" });
});
