/** There is no such file or folder. */
export class FileNotFoundError extends Error {
  /** The name of the class. */
  override readonly name = "FileNotFoundError";
  /** Path below the folder. */
  readonly path: string;

  /** Says what went wrong, and to what. */
  constructor(path: string, options?: ErrorOptions) {
    super(`There is no file '${path}'`, options);
    this.path = path;
  }
}

/** A host does not accept connections. */
export class ConnectError extends Error {
  /** The name of the class. */
  override readonly name = "ConnectError";
}

/** An address that cannot be listened on. */
export class ListenError extends Error {
  /** The name of the class. */
  override readonly name = "ListenError";
}
