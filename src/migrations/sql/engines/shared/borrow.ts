import { DatabaseError } from "../../errors.ts";

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
