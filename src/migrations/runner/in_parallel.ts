/**
 * Does something with each item, so many at once; the results come in the order of the items. After a failure no further
 * item is begun, and those under way are awaited before it is thrown.
 */
export async function inParallel<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = new Array(items.length);
  const queue = items.entries();
  let hasFailed = false;
  const worker = async () => {
    try {
      for (const [index, item] of queue) {
        if (hasFailed) return;
        results[index] = await work(item);
      }
    } catch (error) {
      hasFailed = true;
      throw error;
    }
  };
  await allSettled(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  return results;
}

/** Like `Promise.all`, but throws the first failure only when all have ended: a failed run must do nothing afterwards. */
export async function allSettled(work: readonly Promise<unknown>[]): Promise<void> {
  let failure: { readonly error: unknown } | undefined;
  await Promise.all(work.map((one) => one.catch((error) => failure ??= { error })));
  if (failure) throw failure.error;
}
