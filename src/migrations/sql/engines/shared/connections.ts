import { DatabaseError } from "../../errors.ts";

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

/** How long a look at what others do or keep may wait, in milliseconds: a run is not to stand still for it. */
export const LOOK_MS = 1000;

/** Pools wait without a limit while all connections are in use. @throws {DatabaseError} after `withinMs` */
export async function borrow<C>(
  asked: Promise<C>,
  giveBack: (connection: C) => void,
  withinMs: number,
): Promise<C> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      asked.then(giveBack, () => {});
      const message =
        `The pool of the application gave no connection within ${withinMs / 1000} s: ` +
        "all of them are in use, or it has too few: a run needs 2 to MySQL, and 3 to PostgreSQL";
      reject(new DatabaseError("lost", message));
    }, withinMs);
  });
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}
