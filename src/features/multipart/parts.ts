import { HttpError } from "../../http/mod.ts";
import { joined } from "../../runtime/web.ts";
import { tooMany } from "../../web/mod.ts";
import { MultipartParser, type Piece } from "./parser.ts";
import { decoded, type PartHead } from "./part_head.ts";

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

/** The parts of a body as they arrive, read when asked for. A failure is that of all that follows. */
export class Parts implements AsyncIterableIterator<Part> {
  readonly #parser: MultipartParser;
  #reader?: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;
  #turn: Promise<unknown> = Promise.resolve();
  #current?: StreamedPart;
  #name = "";
  #size = 0;
  #count = 0;
  #isPartOver = false;
  #failure?: { readonly error: unknown };
  #isOver = false;

  constructor(
    private readonly open: () => ReadableStream<Uint8Array<ArrayBuffer>> | null,
    boundary: string,
    private readonly limits: { readonly maxParts: number; readonly maxPartSize: number },
  ) {
    this.#parser = new MultipartParser(boundary);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Skips what is left of the part before. @throws {HttpError} 400, 413 */
  async next(): Promise<IteratorResult<Part, undefined>> {
    await this.#current?.collected;
    return await this.#inTurn(async () => {
      this.#current = undefined;
      while (!this.#isOver) {
        const piece = await this.#piece();
        if (piece === undefined) this.#isOver = true;
        else if (piece.kind === "head") return { done: false, value: this.#begin(piece.head) };
      }
      return { done: true, value: undefined };
    });
  }

  /** Discards the rest, except for a part whose body is being read. */
  return(): Promise<IteratorResult<Part, undefined>> {
    this.#isOver = true;
    if (this.#current?.isTaken !== true || this.#isPartOver) this.#cancel();
    return Promise.resolve({ done: true, value: undefined });
  }

  #begin(head: PartHead): Part {
    let isComplete = false;
    const read = () =>
      this.#inTurn(async () => {
        if (isComplete) return undefined;
        if (this.#current !== part) {
          throw new TypeError(
            `Cannot read the part '${
              shortened(part.name)
            }': expected it to be read before the next part is requested`,
          );
        }
        const piece = await this.#piece();
        if (piece?.kind === "bytes") return piece.bytes;
        isComplete = true;
        if (this.#isOver) this.#cancel();
      });
    const part: StreamedPart = new StreamedPart(head, read, () => {
      if (this.#isOver && !isComplete) this.#cancel();
    });
    return this.#current = part;
  }

  async #piece(): Promise<Piece | undefined> {
    if (this.#failure) throw this.#failure.error;
    try {
      const piece = await this.#read();
      if (piece !== undefined) this.#limit(piece);
      return piece;
    } catch (error) {
      this.#failure = { error };
      this.#cancel();
      throw error;
    }
  }

  async #read(): Promise<Piece | undefined> {
    while (true) {
      const piece = this.#parser.next();
      if (piece !== undefined) return piece;
      this.#reader ??= this.open()?.getReader();
      const { done = true, value } = await this.#reader?.read() ?? {};
      if (done || value === undefined) break;
      this.#parser.feed(value);
    }
    this.#parser.end();
  }

  /** @throws {HttpError} 400, 413 */
  #limit(piece: Piece): void {
    const { maxParts, maxPartSize } = this.limits;
    this.#isPartOver = piece.kind === "end";
    if (piece.kind === "head") {
      if (++this.#count > maxParts) throw tooMany(maxParts);
      this.#name = piece.head.name;
      this.#size = 0;
    } else if (piece.kind === "bytes" && (this.#size += piece.bytes.byteLength) > maxPartSize) {
      const message = `The part '${shortened(this.#name)}' is larger than ${maxPartSize} bytes`;
      throw new HttpError(413, message);
    }
  }

  #cancel(): void {
    // No caller is left that could receive the error.
    this.#reader?.cancel().catch(() => {});
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => {});
    return result;
  }
}

class StreamedPart implements Part {
  readonly name: string;
  readonly filename?: string;
  readonly type: string;
  #body?: ReadableStream<Uint8Array<ArrayBuffer>>;
  #bytes?: Promise<Uint8Array<ArrayBuffer>>;

  constructor(
    { name, filename, type }: PartHead,
    private readonly read: () => Promise<Uint8Array<ArrayBuffer> | undefined>,
    private readonly cancel: () => void,
  ) {
    this.name = name;
    if (filename !== undefined) this.filename = filename;
    this.type = type;
  }

  get body(): ReadableStream<Uint8Array<ArrayBuffer>> {
    return this.#body ??= new ReadableStream({
      pull: async (controller) => {
        const bytes = await this.read();
        if (bytes === undefined) controller.close();
        else controller.enqueue(bytes);
      },
      cancel: this.cancel,
    }, { highWaterMark: 0 });
  }

  bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return this.#bytes ??= heard(Array.fromAsync(this.body).then(joined));
  }

  text(): Promise<string> {
    return heard(
      this.bytes().then((bytes) => decoded(bytes, `the part '${shortened(this.name)}'`)),
    );
  }

  get isTaken(): boolean {
    return this.#body !== undefined;
  }

  /** Resolves when the whole body is in memory, or has failed, if code has asked for that. */
  get collected(): Promise<unknown> | undefined {
    return this.#bytes?.catch(() => {});
  }
}

/** The reader of the next part receives the failure; it must not become an unhandled rejection. */
function heard<T>(reading: Promise<T>): Promise<T> {
  reading.catch(() => {});
  return reading;
}

/** Names are the client's, and may be long. */
function shortened(name: string): string {
  return name.length > 100 ? `${name.slice(0, 100)}…` : name;
}
