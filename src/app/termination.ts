import { exitCodeOfSignal, type Runtime, type TerminationSignal } from "../runtime/mod.ts";

/**
 * Ends something when the process is told to, beside all else that listens: the first SIGTERM or SIGINT ends everything
 * at once, and the process when all is over, with the greatest code; a second one does not wait.
 *
 * @param end gives the exit code of the process
 * @returns stops listening, unless a signal has come
 */
export function endOnSignal(
  runtime: Runtime,
  end: (signal: TerminationSignal) => Promise<number>,
): () => void {
  ends.add(end);
  stopListening ??= runtime.onTermination((signal) => terminate(runtime, signal));
  return () => {
    ends.delete(end);
    if (ends.size > 0 || isTold) return;
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
    controller.abort(new Error(`The start was given up on ${signal}`));
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

/** Of the whole process, as its signals are. */
const ends = new Set<(signal: TerminationSignal) => Promise<number>>();
let stopListening: (() => void) | undefined;
let isTold = false;

function terminate(runtime: Runtime, signal: TerminationSignal): void {
  if (isTold) runtime.exit(1);
  isTold = true;
  Promise.all([...ends].map((end) => end(signal)))
    .then((codes) => runtime.exit(Math.max(...codes)));
}
