/** Two schemas of a document would have one name. */
export class SchemaNameError extends Error {
  override readonly name = "SchemaNameError";

  /** Says which two. */
  constructor(
    message: string,
    /** The name that both have. */
    readonly schemaName: string,
  ) {
    super(message);
  }
}
