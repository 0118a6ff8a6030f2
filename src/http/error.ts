import { checkOwnHeader } from "./_header.ts";
import { brand } from "./brand.ts";
import { HttpStatus, requireStatus } from "./status.ts";

/** What an {@linkcode HttpError} can carry beside its message. */
export interface HttpErrorOptions {
  /** What led to it; stays inside the process. */
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
