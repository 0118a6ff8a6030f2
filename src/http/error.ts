import { checkOwnHeader } from "./_header.ts";
import { brand } from "./brand.ts";
import { HttpStatus, requireStatus } from "./status.ts";

/** The members of an {@linkcode HttpError} beside its message. */
export interface HttpErrorOptions {
  /** The error that led to it; stays inside the process. */
  readonly cause?: unknown;
  /** Headers of the answer, such as `Retry-After` or `WWW-Authenticate`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Thrown by a handler to answer with a status. The message of a 4xx goes to the client; that of a 5xx, and the cause,
 * go to the log only.
 */
export class HttpError extends Error {
  static {
    brand(this, "HttpError");
  }

  override readonly name: string = "HttpError";
  /** Status of the answer. */
  readonly status: HttpStatus;
  /** Headers by name. */
  readonly headers: Readonly<Record<string, string>>;

  /**
   * @param status 400 to 599
   * @param message what went wrong; the reason phrase of the status when left out
   * @throws {RangeError} when the status is no error
   * @throws {TypeError} when a header has a name or value that it cannot carry
   */
  constructor(status: HttpStatus | number, message?: string, options: HttpErrorOptions = {}) {
    if (typeof status !== "number") requireStatus(status);
    const known = HttpStatus.of(typeof status === "number" ? status : status.value);
    if (known.value < 400) {
      throw new RangeError(`Expected an error status (400 to 599), found '${known}'`);
    }
    super(message ?? known.reasonPhrase, "cause" in options ? { cause: options.cause } : undefined);
    this.status = known;
    this.headers = options.headers ?? {};
    for (const [header, value] of Object.entries(this.headers)) checkOwnHeader(header, value);
  }
}

/**
 * Names the status of an error's class: what is thrown of it, or of a class that extends it, is answered with that, and
 * the message of a 4xx goes to the client, as that of an `HttpError` does. Anything else than an `HttpStatus` (or its
 * code) from 400 to 599 is an error at startup where the class is known by then, and a 500 where not.
 *
 * ```ts ignore
 * class OutOfStock extends Error {
 *   static readonly [STATUS] = HttpStatus.CONFLICT;
 * }
 * ```
 */
export const STATUS: unique symbol = Symbol.for("irori: status");

/** Inherited, too. @throws {RangeError} for a status that is no error */
export function declaredStatus(type: unknown): HttpStatus | undefined {
  if (typeof type !== "function" || !(STATUS in type)) return undefined;
  const declared = type[STATUS];
  const code = declared instanceof HttpStatus ? declared.value : declared;
  if (typeof code === "number" && Number.isInteger(code) && code >= 400 && code <= 599) {
    return HttpStatus.of(code);
  }
  const found = typeof code === "object" ? "an object" : `'${String(code)}'`;
  throw new RangeError(
    `Cannot use the [STATUS] of '${type.name}': expected an HttpStatus from 400 to 599, found ${found}`,
  );
}

/** The status that an error class declares. @throws {RangeError} if it is not a 4xx or 5xx */
export function statusOfClass(error: unknown): HttpStatus | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  return declaredStatus(Object.getPrototypeOf(error)?.constructor);
}
