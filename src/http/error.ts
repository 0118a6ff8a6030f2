import { HttpStatus } from "./status.ts";

/** What an {@linkcode HttpError} can carry beside its message. */
export interface HttpErrorOptions {
  readonly cause?: unknown;
  /** Headers of the answer, such as `Retry-After` or `WWW-Authenticate`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Thrown by a handler to answer with a status. Its message goes to the client, its cause does not. */
export class HttpError extends Error {
  override readonly name: string = "HttpError";
  readonly status: HttpStatus;
  readonly headers: Readonly<Record<string, string>>;

  /**
   * @param status 400 to 599
   * @param message what the client may know
   * @throws {RangeError} when the status is no error
   */
  constructor(status: HttpStatus | number, message?: string, options: HttpErrorOptions = {}) {
    const known = typeof status === "number" ? HttpStatus.of(status) : status;
    if (known.value < 400) {
      throw new RangeError(`Expected the status of an error, found '${known}'`);
    }
    super(message ?? known.reasonPhrase, "cause" in options ? { cause: options.cause } : undefined);
    this.status = known;
    this.headers = options.headers ?? {};
  }
}
