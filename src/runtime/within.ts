/**
 * What `work` gives, or `late` when it takes longer.
 *
 * @throws {unknown} what `work` throws in time
 */
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
