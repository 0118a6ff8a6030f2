/** Runs `action` without the log of failures that are expected. */
export async function quietly<T>(action: () => Promise<T>): Promise<T> {
  const { error } = console;
  console.error = () => {};
  try {
    return await action();
  } finally {
    console.error = error;
  }
}
