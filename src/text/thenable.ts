export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return value instanceof Promise ||
    (typeof value === "object" && value !== null && "then" in value &&
      typeof value.then === "function");
}
