/**
 * A mapping that cannot work: a path that cannot be read, a variable that the path does not have, two
 * handlers for the same requests. Thrown while the application starts, never by a request.
 */
export class MappingError extends TypeError {
  override readonly name = "MappingError";

  /** @param message names the handler, and what was expected of it */
  constructor(
    message: string,
    /** The handlers concerned, as `Controller.method`. */
    readonly handlers: readonly string[] = [],
  ) {
    super(message);
  }
}

/** What Hono's middleware throws: known by its shape, as it may come of another copy of Hono. */
export interface HttpException extends Error {
  readonly status: number;
  readonly res?: Response;
}

/** Whether an error is an `HTTPException`, of whatever copy of Hono. */
export function isHttpException(error: unknown): error is HttpException {
  return error instanceof Error && "getResponse" in error &&
    typeof error.getResponse === "function" && "status" in error &&
    Number.isInteger(error.status);
}

/** Whether it is the prototype of the class itself, not of one that extends it. */
export function isHttpExceptionPrototype(prototype: object): boolean {
  return Object.hasOwn(prototype, "getResponse") &&
    Object.getPrototypeOf(prototype) === Error.prototype;
}
