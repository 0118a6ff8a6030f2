/** Returns the result of `work`, or `late` when it takes longer. @throws {unknown} what `work` throws in time */
export async function within<T, L>(
  work: Promise<T>,
  milliseconds: number,
  late: L,
): Promise<T | L> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<L>((resolve) => {
    timer = setTimeout(() => resolve(late), milliseconds);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}

/** For work in small steps: called after each, it lets the event loop go on before that has waited for long. */
export function pauses(): () => Promise<void> {
  let last = performance.now();
  return async () => {
    if (performance.now() - last < LONGEST_MS) return;
    await new Promise((resolve) => setTimeout(resolve));
    last = performance.now();
  };
}

const LONGEST_MS = 15;

/** @throws {unknown} what `work` throws, or the signal's reason */
export function orAborted<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject);
  });
}
