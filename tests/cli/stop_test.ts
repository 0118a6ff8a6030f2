import { assertEquals } from "@std/assert";
import type { Screen } from "../../src/cli/screen.ts";
import { stopOnSignal } from "../../src/cli/stop.ts";
import type { RunEvent } from "../../src/migrations/runner/mod.ts";
import type { Runtime, TerminationSignal } from "../../src/runtime/mod.ts";

const STARTED: RunEvent = {
  type: "started",
  connection: "shop",
  file: "orders.json",
  position: 1,
  total: 2,
};
const PROGRESS: RunEvent = {
  type: "progress",
  connection: "shop",
  file: "orders.json",
  progress: { message: "copying" },
};
const NOTICE: RunEvent = { type: "notice", connection: "shop", message: "The cluster is slow" };

const CASES: readonly (readonly [readonly RunEvent[], string])[] = [
  [[], "stopping"],
  [[STARTED], "finishing 'orders.json'; again to end at once"],
  [
    [STARTED, PROGRESS, NOTICE],
    "stopping at the next step of 'orders.json'; again to end at once",
  ],
  [
    [STARTED, PROGRESS, { ...STARTED, file: "b.json" }],
    "finishing 'b.json'; again to end at once",
  ],
];

for (const [events, expected] of CASES) {
  Deno.test(`stopOnSignal after ${events.map(({ type }) => type)} says '${expected}'`, async () => {
    const logged: string[] = [];
    let listener: ((signal: TerminationSignal) => void) | undefined;
    const runtime = {
      onTermination(heard: typeof listener) {
        listener = heard;
        return () => listener = undefined;
      },
    } as unknown as Runtime;
    const screen = { log: (text: string) => logged.push(text) } as unknown as Screen;
    {
      using stop = stopOnSignal(runtime, screen);
      for (const event of events) stop.onEvent(event);
      listener?.("SIGTERM");
      assertEquals([stop.signal.aborted, stop.exitCode()], [true, 143]);
    }
    await new Promise((resolve) => setTimeout(resolve)); // Until then a late signal is heard.
    assertEquals([logged, listener], [[`SIGTERM: ${expected}\n`], undefined]);
  });
}
