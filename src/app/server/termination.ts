import {
  exitCodeOfSignal,
  exitWhenWritten,
  flushTelemetry,
  type Runtime,
  type TerminationSignal,
} from "../../runtime/mod.ts";

/**
 * Ends something when the process receives a signal, beside other listeners: the first SIGTERM or SIGINT ends
 * everything at once, and the process when all is over, with the greatest code; a second one does not wait.
 *
 * @returns stops listening, unless a signal has come
 */
export function endOnSignal(
  runtime: Runtime,
  end: (signal: TerminationSignal) => Promise<number>,
): () => void {
  ends.add(end);
  if (told !== undefined) ending.push(end(told));
  stopListening ??= runtime.onTermination((signal) => terminate(runtime, signal));
  return () => {
    ends.delete(end);
    if (ends.size > 0 || told !== undefined) return;
    stopListening?.();
    stopListening = undefined;
  };
}

/**
 * Starts an application. A signal aborts the start: it has to close what it has built, and reject. Then the process ends
 * as if the signal had ended it, and this never settles: what waits for the application could only fail.
 */
export async function startUntilSignal<T>(
  runtime: Runtime,
  start: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const over = Promise.withResolvers<void>();
  const stop = endOnSignal(runtime, async (signal) => {
    controller.abort(new Error(`Startup was cancelled by ${signal}`));
    await over.promise;
    return exitCodeOfSignal(signal);
  });
  try {
    return await start(controller.signal);
  } catch (error) {
    if (!controller.signal.aborted) throw error;
    over.resolve();
    return await new Promise<never>(() => {});
  } finally {
    stop();
  }
}

const ends = new Set<(signal: TerminationSignal) => Promise<number>>();
let stopListening: (() => void) | undefined;
let told: TerminationSignal | undefined;
const ending: Promise<number>[] = [];

async function terminate(runtime: Runtime, signal: TerminationSignal): Promise<void> {
  if (told !== undefined) runtime.exit(1);
  told = signal;
  ending.push(...[...ends].map((end) => end(signal)));
  let code = 0;
  // By index: others may begin to listen meanwhile, and end at once.
  for (let index = 0; index < ending.length; index++) code = Math.max(code, await ending[index]!);
  await flushTelemetry();
  await exitWhenWritten(runtime, code, true);
}
