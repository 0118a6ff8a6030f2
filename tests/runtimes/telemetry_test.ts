/** Spans and metrics of a process that receives a signal to end, on each runtime with an SDK of OpenTelemetry. */
import { assert, assertEquals } from "@std/assert";
import { onEachRuntime } from "./processes.ts";

onEachRuntime("telemetry", (test) => {
  test("sends what is still to be sent of spans and metrics", async (running, url) => {
    assertEquals(await (await fetch(`${url}/page`)).text(), "page");
    running.kill("SIGTERM");
    const { code, lines } = await running.ended();
    assertEquals(lines.filter((line) => line.startsWith("exported")).sort(), [
      "exported metrics",
      "exported spans",
    ]);
    assertEquals(code, 0);
  });

  test("does not wait for a collector that does not answer", async (running, url) => {
    assertEquals(await (await fetch(`${url}/page`)).text(), "page");
    const start = performance.now();
    running.kill("SIGTERM");
    assertEquals((await running.ended()).code, 0);
    assert(performance.now() - start < 20_000);
  }, { IS_STUCK: "yes" });
});
