/** Results in the order of the items. After a failure no item is begun; those under way are awaited. */
export async function inParallel<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = new Array(items.length);
  const queue = items.entries();
  const worker = async (signal: AbortSignal) => {
    for (const [index, item] of queue) {
      if (signal.aborted) return;
      results[index] = await work(item);
    }
  };
  await allOrStop(Array.from({ length: Math.min(atOnce, items.length) }, () => worker));
  return results;
}

/** Runs parts in parallel. The first failure aborts the others, and is thrown when all have ended. */
export async function allOrStop(
  parts: readonly ((signal: AbortSignal) => Promise<unknown>)[],
): Promise<void> {
  const stop = new AbortController();
  let failure: { readonly error: unknown } | undefined;
  await Promise.all(parts.map(async (part) => {
    try {
      await part(stop.signal);
    } catch (error) {
      failure ??= { error };
      stop.abort();
    }
  }));
  if (failure) throw failure.error;
}
