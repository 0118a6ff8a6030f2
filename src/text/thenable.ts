/** Whether `await` would wait for the value: a promise, or what some libraries have in its place. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return value instanceof Promise ||
    (typeof value === "object" && value !== null && "then" in value &&
      typeof value.then === "function");
}
