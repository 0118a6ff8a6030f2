/** There is no such file or folder. */
export class FileNotFoundError extends Error {
  override readonly name = "FileNotFoundError";
  readonly path: string;

  constructor(path: string, options?: ErrorOptions) {
    super(`There is no file '${path}'`, options);
    this.path = path;
  }
}

/** A host does not accept connections. */
export class ConnectError extends Error {
  override readonly name = "ConnectError";
}

/** An address that cannot be listened on. */
export class ListenError extends Error {
  override readonly name = "ListenError";
}
