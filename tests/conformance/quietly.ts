/** Runs `action` without the log of failures that are expected, and without the start-up line. */
export async function quietly<T>(action: () => Promise<T>): Promise<T> {
  const { error } = console;
  console.error = () => {};
  try {
    return await action();
  } finally {
    console.error = error;
  }
}
