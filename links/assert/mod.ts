/**
 * Development stand-in for `@std/assert`, written from its documentation.
 *
 * @module
 */
import { inspect } from "node:util";
import { AssertionError } from "./assertion_error.ts";
import { equal, subset } from "./equal.ts";

export { AssertionError } from "./assertion_error.ts";
export { assertRejects, assertThrows } from "./throws.ts";

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
// deno-lint-ignore no-explicit-any -- as the package has it, whose type parameter is the class
export function assertInstanceOf<T extends abstract new (...args: any[]) => any>(
  actual: unknown,
  type: T,
  msg?: string,
): asserts actual is InstanceType<T> {
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
  assertEquals(subset(actual, expected), subset(expected, expected), msg);
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
