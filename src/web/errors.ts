/**
 * An invalid mapping: a malformed path, an unknown path variable, two handlers for the same requests. Thrown at startup, never
 * by a request.
 */
export class MappingError extends TypeError {
  override readonly name = "MappingError";

  /** @param message names the handler, and what was expected of it */
  constructor(
    message: string,
    /** The handlers, as `Controller.method`. */
    readonly handlers: readonly string[] = [],
  ) {
    super(message);
  }
}

export function refuseMapping(label: string, reason: string): never {
  throw new MappingError(`Cannot map '${label}': ${reason}`, [label]);
}

/** An error of Hono's middleware, detected by its shape, as it may come from another copy of Hono. */
interface HttpException extends Error {
  readonly status: number;
  readonly res?: Response;
}

export function isHttpException(error: unknown): error is HttpException {
  return error instanceof Error && "getResponse" in error &&
    typeof error.getResponse === "function" && "status" in error &&
    Number.isInteger(error.status);
}

export function isHttpExceptionPrototype(prototype: object): boolean {
  return Object.hasOwn(prototype, "getResponse") &&
    Object.getPrototypeOf(prototype) === Error.prototype;
}
