/**
 * A part of a `multipart/form-data` body (RFC 7578): a field, or a file. Its body can be read once, and until the next
 * part is asked for.
 */
export interface Part {
  /** Name of the field. */
  readonly name: string;
  /** Name of the file, without folders and control characters, empty where none was chosen; absent for a field. */
  readonly filename?: string;
  /** Media type as it was sent. @default "text/plain" */
  readonly type: string;
  /**
   * The body as it arrives: no more is read from the connection than is asked for here. Reading it fails with an
   * `HttpError`: 400 when the body is malformed or breaks off, 413 when it or the part is too large.
   */
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** The whole body, in memory. @throws {HttpError} 400, 413 */
  bytes(): Promise<Uint8Array<ArrayBuffer>>;
  /** The whole body as UTF-8 text, in memory. @throws {HttpError} 400, 413 */
  text(): Promise<string>;
}

/** Options of {@linkcode MultipartStream}. */
export interface MultipartStreamOptions {
  /** Bytes that the body of a part may have; answered with 413 beyond. @default those of the whole body */
  readonly maxPartSize?: number;
  /** How many parts there may be; answered with 400 beyond. @default `server.max-form-fields` */
  readonly maxParts?: number;
}
