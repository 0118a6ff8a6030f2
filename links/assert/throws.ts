import { AssertionError } from "./assertion_error.ts";

/** A class, abstract ones included. */
// deno-lint-ignore no-explicit-any
type AnyClass<T> = abstract new (...args: any[]) => T;

/** Fails unless `fn` throws, an instance of `type` with `includes` in its message where they are given. */
export function assertThrows(fn: () => unknown, msg?: string): unknown;
export function assertThrows<E extends Error = Error>(
  fn: () => unknown,
  type: AnyClass<E>,
  includes?: string,
  msg?: string,
): E;
export function assertThrows(
  fn: () => unknown,
  type?: AnyClass<Error> | string,
  includes?: string,
  msg?: string,
): unknown {
  const end = typeof type === "string" ? suffix(type) : suffix(msg);
  try {
    fn();
  } catch (error) {
    if (typeof type === "function") check(error, "thrown", type, includes, end);
    return error;
  }
  throw new AssertionError(`Expected function to throw${end}`);
}

/** Fails unless the promise of `fn` rejects, as {@linkcode assertThrows} says. */
export function assertRejects(fn: () => PromiseLike<unknown>, msg?: string): Promise<unknown>;
export function assertRejects<E extends Error = Error>(
  fn: () => PromiseLike<unknown>,
  type: AnyClass<E>,
  includes?: string,
  msg?: string,
): Promise<E>;
export async function assertRejects(
  fn: () => PromiseLike<unknown>,
  type?: AnyClass<Error> | string,
  includes?: string,
  msg?: string,
): Promise<unknown> {
  const end = typeof type === "string" ? suffix(type) : suffix(msg);
  const result = start(fn, end);
  try {
    await result;
  } catch (error) {
    if (typeof type === "function") check(error, "rejected", type, includes, end);
    return error;
  }
  throw new AssertionError(`Expected function to reject${end}`);
}

/** A function that throws at once, or gives no promise, does not reject. */
function start(fn: () => PromiseLike<unknown>, end: string): PromiseLike<unknown> {
  let result: PromiseLike<unknown> | undefined;
  let cause: unknown;
  try {
    result = fn();
  } catch (error) {
    cause = error;
  }
  if (typeof result === "object" && typeof result?.then === "function") return result;
  throw new AssertionError(`Function throws when expected to reject${end}`, { cause });
}

function check(
  error: unknown,
  how: string,
  type: AnyClass<Error>,
  includes: string | undefined,
  end: string,
): void {
  if (!(error instanceof Error)) {
    throw new AssertionError(`A non-Error object was ${how}${end}`, { cause: error });
  }
  if (!(error instanceof type)) {
    const expected = `Expected error to be instance of "${type.name}"`;
    throw new AssertionError(`${expected}, but was "${(error as Error).constructor.name}"${end}`, {
      cause: error,
    });
  }
  if (includes && !error.message.includes(includes)) {
    const expected = `Expected error message to include ${JSON.stringify(includes)}`;
    throw new AssertionError(`${expected}, but got ${JSON.stringify(error.message)}${end}`, {
      cause: error,
    });
  }
}

function suffix(msg?: string): string {
  return msg ? `: ${msg}` : ".";
}
