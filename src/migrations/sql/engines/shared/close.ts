/** How long a server may take to end a connection, in milliseconds. */
const CLOSE_MS = 2000;

/**
 * Waits for the end of a connection. A server that is frozen does not answer, and the operating system would wait for
 * it.
 */
export async function closing(end: Promise<unknown>, destroy: () => void): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      destroy();
      resolve();
    }, CLOSE_MS);
  });
  await Promise.race([end.catch(() => {}), late]);
  clearTimeout(timer);
}
