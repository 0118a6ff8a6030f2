/**
 * A mapping that cannot work: a path that cannot be read, a variable that the path does not have, two
 * handlers for the same requests. Thrown while the application starts, never by a request.
 */
export class MappingError extends TypeError {
  override readonly name = "MappingError";

  /** Says what went wrong, and to what. */
  constructor(
    message: string,
    /** The handlers concerned, as `Controller.method`. */
    readonly handlers: readonly string[] = [],
  ) {
    super(message);
  }
}
