/** Reads a stream where it is no async iterable, as in Safari; who leaves the loop cancels it. */
export async function* chunksOf<T>(stream: ReadableStream<T>): AsyncGenerator<T, void> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
