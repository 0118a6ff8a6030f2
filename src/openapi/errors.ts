import { quoted } from "../text/mod.ts";

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

/** A document of a version of the API that has none. */
export class ApiVersionError extends RangeError {
  override readonly name = "ApiVersionError";

  /** Says which there are. */
  constructor(
    /** The version that was asked for. */
    readonly apiVersion: string,
    supported: readonly string[],
  ) {
    const expected = supported.length === 0
      ? "one document has all routes"
      : `expected one of ${quoted(supported)}`;
    super(`Cannot describe the version '${apiVersion}' of the API: ${expected}`);
  }
}
