import type { RunEvent } from "../migrations/runner/mod.ts";
import { exitCodeOfSignal, type Runtime, type TerminationSignal } from "../runtime/mod.ts";
import { StopError } from "./errors.ts";
import type { Screen } from "./screen.ts";

export function stopOnSignal(runtime: Runtime, screen: Screen) {
  const controller = new AbortController();
  let received: TerminationSignal | undefined;
  let inHand: string | undefined;
  let isLong = false;
  const dispose = runtime.onTermination((signal) => {
    if (received !== undefined) runtime.exit(exitCodeOfSignal(signal));
    received = signal;
    const how = isLong ? "stopping at the next step of" : "finishing";
    const what = inHand === undefined ? "stopping" : `${how} '${inHand}'; again to end at once`;
    screen.log(`${signal}: ${what}\n`);
    controller.abort(new StopError(signal));
  });
  return {
    signal: controller.signal,
    exitCode: () => received && exitCodeOfSignal(received),
    onEvent(event: RunEvent): void {
      if (event.type === "started") inHand = event.file;
      if (event.type === "finished") inHand = undefined;
      if (event.type === "progress") isLong = true;
      else if (event.type !== "notice") isLong = false;
    },
    // A signal that comes during the last work is delivered afterwards, and is lost unless something still listens.
    [Symbol.dispose]: () => setTimeout(dispose),
  };
}
