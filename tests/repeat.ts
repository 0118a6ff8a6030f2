/**
 * Repeats an action with pauses until it is disposed of. That waits for the last one and throws what went wrong: a
 * rejection between two tests would end the process of all of them.
 */
export function repeat(action: () => Promise<void>, pauseMs: number): AsyncDisposable {
  let isOver = false;
  const repeating = (async () => {
    while (!isOver) {
      await action();
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  })();
  const ended = repeating.then(() => {}, (error: unknown) => ({ error }));
  return {
    async [Symbol.asyncDispose]() {
      isOver = true;
      const failure = await ended;
      if (failure) throw failure.error;
    },
  };
}
