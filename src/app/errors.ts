/** A file that the component scan cannot import. */
export class ScanError extends Error {
  override readonly name = "ScanError";

  /** @param message names the file, and says why it could not be imported */
  constructor(
    message: string,
    readonly path: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The bean `errorController` is no error controller. */
export class ErrorControllerError extends TypeError {
  override readonly name = "ErrorControllerError";
}
