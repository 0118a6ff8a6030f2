import { within } from "../../../../runtime/mod.ts";
import { DatabaseError } from "../../errors.ts";

const CLOSE_MS = 2000;
const LATE: unique symbol = Symbol("late");

/**
 * Waits for the end of a connection. A server that is frozen does not answer, and the operating system would wait for
 * it.
 */
export async function closing(end: Promise<unknown>, destroy: () => void): Promise<void> {
  if (await within(end.catch(() => {}), CLOSE_MS, LATE) === LATE) destroy();
}

/** Pools wait without a limit while all connections are in use. @throws {DatabaseError} after `withinMs` */
export async function borrow<C>(
  asked: Promise<C>,
  giveBack: (connection: C) => void,
  withinMs: number,
): Promise<C> {
  const found = await within(asked, withinMs, LATE);
  if (found !== LATE) return found;
  asked.then(giveBack, () => {});
  const message = `The pool of the application gave no connection within ${withinMs / 1000} s: ` +
    "all of them are in use, or it has too few: a run needs 2 to MySQL, and 3 to PostgreSQL";
  throw new DatabaseError("lost", message);
}
