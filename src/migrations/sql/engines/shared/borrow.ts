import { DatabaseError } from "../../errors.ts";

/**
 * Waits for a connection of the application's pool, which itself waits without an end where all are in use.
 *
 * @param withinMs how long to wait, in milliseconds
 * @throws {DatabaseError} when there is none
 */
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
