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
