import { quoted } from "../text/mod.ts";

/** Thrown when two schemas of a document would have one name. */
export class SchemaNameError extends Error {
  override readonly name = "SchemaNameError";

  /** @param message names both schemas */
  constructor(
    message: string,
    /** The name of both. */
    readonly schemaName: string,
  ) {
    super(message);
  }
}

/** Thrown for a version of the API that does not exist. */
export class ApiVersionError extends RangeError {
  override readonly name = "ApiVersionError";

  /** @param supported the versions that exist */
  constructor(
    /** The requested version. */
    readonly apiVersion: string,
    supported: readonly string[],
  ) {
    const expected = supported.length === 0
      ? "one document has all routes"
      : `expected one of ${quoted(supported)}`;
    super(`Cannot describe the version '${apiVersion}' of the API: ${expected}`);
  }
}
