/** What was thrown, as an error: anything can be thrown. */
export function errorOf(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown), { cause: thrown });
}

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return value instanceof Promise ||
    (typeof value === "object" && value !== null && "then" in value &&
      typeof value.then === "function");
}
