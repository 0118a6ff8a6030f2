/**
 * Development stand-in for `@std/assert`, over `node:assert` and `node:util`.
 *
 * @module
 */
import { inspect, isDeepStrictEqual } from "node:util";

/** What every failed assertion throws. */
export class AssertionError extends Error {
  override name = "AssertionError";
}

/** A class, abstract ones included. */
// deno-lint-ignore no-explicit-any
type AnyClass<T> = abstract new (...args: any[]) => T;

/** Fails unless `expr` is truthy. */
export function assert(expr: unknown, msg = ""): asserts expr {
  if (!expr) throw new AssertionError(msg);
}

/** Fails unless `expr` is falsy. */
export function assertFalse(expr: unknown, msg = "Expected a falsy value"): asserts expr is false {
  if (expr) throw new AssertionError(msg);
}

/** Fails always. */
export function fail(msg?: string): never {
  throw new AssertionError(`Failed assertion${msg ? `: ${msg}` : "."}`);
}

/** Fails when it is reached. */
export function unreachable(reason?: string): never {
  throw new AssertionError(`Unreachable${reason ? `: ${reason}` : "."}`);
}

/** Fails unless both are deeply equal. */
export function assertEquals<T>(actual: T, expected: T, msg?: string): void {
  if (!equal(actual, expected)) {
    differ("Values are not equal", actual, expected, msg);
  }
}

/** Fails when both are deeply equal. */
export function assertNotEquals<T>(actual: T, expected: T, msg?: string): void {
  if (equal(actual, expected)) {
    throw new AssertionError(
      `Expected actual: ${show(actual)} not to be: ${show(expected)}${suffix(msg)}`,
    );
  }
}

/** Fails unless both are the same value (`Object.is`). */
export function assertStrictEquals<T>(
  actual: unknown,
  expected: T,
  msg?: string,
): asserts actual is T {
  if (!Object.is(actual, expected)) differ("Values are not strictly equal", actual, expected, msg);
}

/** Fails for `null` and `undefined`. */
export function assertExists<T>(actual: T, msg?: string): asserts actual is NonNullable<T> {
  if (actual === undefined || actual === null) {
    throw new AssertionError(
      `Expected actual: "${actual}" to not be null or undefined${suffix(msg)}`,
    );
  }
}

/** Fails unless `actual` is an instance of `type`. */
export function assertInstanceOf<T>(
  actual: unknown,
  type: AnyClass<T>,
  msg?: string,
): asserts actual is T {
  if (!(actual instanceof type)) {
    throw new AssertionError(
      `Expected object to be an instance of "${type.name}" but was ${show(actual)}${suffix(msg)}`,
    );
  }
}

/** Fails unless the text matches. */
export function assertMatch(actual: string, expected: RegExp, msg?: string): void {
  if (!expected.test(actual)) {
    throw new AssertionError(`Expected actual: "${actual}" to match: "${expected}"${suffix(msg)}`);
  }
}

/** Fails unless the text contains the other. */
export function assertStringIncludes(actual: string, expected: string, msg?: string): void {
  if (!actual.includes(expected)) {
    throw new AssertionError(
      `Expected actual: "${actual}" to contain: "${expected}"${suffix(msg)}`,
    );
  }
}

/** Fails unless each expected value is in the list. */
export function assertArrayIncludes<T>(
  actual: ArrayLike<T>,
  expected: ArrayLike<T>,
  msg?: string,
): void {
  const all = Array.from(actual);
  const missing = Array.from(expected).filter((value) => !all.some((other) => equal(value, other)));
  if (missing.length > 0) {
    throw new AssertionError(
      `Expected actual: ${show(actual)} to include: ${show(expected)}${suffix(msg)}`,
    );
  }
}

/** Fails unless `actual` has everything that `expected` has. */
export function assertObjectMatch(
  // deno-lint-ignore no-explicit-any
  actual: Record<PropertyKey, any>,
  expected: Record<PropertyKey, unknown>,
  msg?: string,
): void {
  assertEquals(pick(actual, expected), expected, msg);
}

/** Fails unless `actual > expected`. */
export function assertGreater<T>(actual: T, expected: T, msg?: string): void {
  if (!(actual > expected)) {
    throw new AssertionError(`Expect ${show(actual)} > ${show(expected)}${suffix(msg)}`);
  }
}

/** Fails unless `actual >= expected`. */
export function assertGreaterOrEqual<T>(actual: T, expected: T, msg?: string): void {
  if (!(actual >= expected)) {
    throw new AssertionError(`Expect ${show(actual)} >= ${show(expected)}${suffix(msg)}`);
  }
}

/** Fails unless `actual < expected`. */
export function assertLess<T>(actual: T, expected: T, msg?: string): void {
  if (!(actual < expected)) {
    throw new AssertionError(`Expect ${show(actual)} < ${show(expected)}${suffix(msg)}`);
  }
}

/** Fails unless `actual <= expected`. */
export function assertLessOrEqual<T>(actual: T, expected: T, msg?: string): void {
  if (!(actual <= expected)) {
    throw new AssertionError(`Expect ${show(actual)} <= ${show(expected)}${suffix(msg)}`);
  }
}

/** Fails unless `fn` throws, an instance of `type` with `includes` in its message where they are given. */
export function assertThrows(fn: () => unknown, msg?: string): unknown;
export function assertThrows<E extends Error>(
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
  let result: unknown;
  try {
    result = fn();
  } catch (error) {
    return check(error, typeof type === "string" ? undefined : type, includes, msg);
  }
  throw new AssertionError(
    `Expected function to throw, but it returned ${show(result)}${suffix(msg)}`,
  );
}

/** Fails unless the promise of `fn` rejects, as {@linkcode assertThrows} says. */
export function assertRejects(fn: () => PromiseLike<unknown>, msg?: string): Promise<unknown>;
export function assertRejects<E extends Error>(
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
  let result: PromiseLike<unknown>;
  try {
    result = fn();
  } catch (error) {
    throw new AssertionError(
      `Function throws when expected to reject${suffix(msg)}: ${show(error)}`,
    );
  }
  try {
    await result;
  } catch (error) {
    return check(error, typeof type === "string" ? undefined : type, includes, msg);
  }
  throw new AssertionError(`Expected function to reject${suffix(msg)}`);
}

function check(error: unknown, type?: AnyClass<Error>, includes?: string, msg?: string): unknown {
  if (type && !(error instanceof type)) {
    throw new AssertionError(
      `Expected error to be an instance of "${type.name}", but was ${show(error)}${suffix(msg)}`,
    );
  }
  if (includes !== undefined && !(error instanceof Error && error.message.includes(includes))) {
    throw new AssertionError(
      `Expected error message to include ${show(includes)}, but got ${show(error)}${suffix(msg)}`,
    );
  }
  return error;
}

/** Deep equality as `@std/assert` has it: keys that are `undefined` count as absent. */
function equal(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(withoutUndefined(a), withoutUndefined(b));
}

function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined);
  if (value === null || typeof value !== "object") return value;
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  return Object.fromEntries(
    Object.entries(value).filter(([, entry]) => entry !== undefined)
      .map(([key, entry]) => [key, withoutUndefined(entry)]),
  );
}

function pick(actual: unknown, expected: unknown): unknown {
  if (actual === null || expected === null) return actual;
  if (typeof actual !== "object" || typeof expected !== "object") return actual;
  if (Array.isArray(actual)) {
    return actual.map((value, index) => pick(value, (expected as unknown[])[index]));
  }
  return Object.fromEntries(
    Object.keys(expected).filter((key) => key in actual)
      .map((
        key,
      ) => [
        key,
        pick((actual as Record<string, unknown>)[key], (expected as Record<string, unknown>)[key]),
      ]),
  );
}

function differ(what: string, actual: unknown, expected: unknown, msg?: string): never {
  throw new AssertionError(
    `${what}${suffix(msg)}\n    [Diff] actual / expected\n-   ${show(actual)}\n+   ${
      show(expected)
    }`,
  );
}

function show(value: unknown): string {
  return inspect(value, { depth: 8, breakLength: 100 });
}

function suffix(msg?: string): string {
  return msg ? `: ${msg}` : "";
}
