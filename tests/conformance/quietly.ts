/** Runs `action` without the log of failures that are expected. */
export async function quietly<T>(action: () => Promise<T>): Promise<T> {
  const { error, debug } = console;
  console.error = console.debug = () => {};
  try {
    return await action();
  } finally {
    Object.assign(console, { error, debug });
  }
}
