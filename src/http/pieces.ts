import { within } from "../runtime/mod.ts";
import { rememberAsyncContext } from "../runtime/web.ts";

/** The source of a body in pieces: an async iterable, or the result of a generator function without `async`. */
export type PieceSource = AsyncIterable<unknown> | Generator<unknown>;

/** Whether a value gives its body piece by piece. Streams do too, but a `Response` takes them as they are. */
export function isPieceSource(value: unknown): value is PieceSource {
  return typeof value === "object" && value !== null && !(value instanceof ReadableStream) &&
    (Symbol.asyncIterator in value ||
      Symbol.toStringTag in value && value[Symbol.toStringTag] === "Generator");
}

type Chunk = Uint8Array<ArrayBuffer>;

export interface PieceFormat {
  /** @throws {TypeError} for what cannot be written */
  encode(piece: unknown): Chunk;
  readonly silence?: Chunk;
}

/** A body that is asked for only as fast as the client reads, in the async context in which it was made. */
export class Pieces {
  readonly #iterator: AsyncIterator<unknown> | Iterator<unknown>;
  readonly #run = rememberAsyncContext();
  #first?: Promise<Chunk | undefined>;

  constructor(source: PieceSource, private readonly format: PieceFormat) {
    this.#iterator = Symbol.asyncIterator in source
      ? source[Symbol.asyncIterator]()
      : source[Symbol.iterator]();
  }

  async open(milliseconds: number, silenceMs = 0): Promise<ReadableStream<Chunk>> {
    this.#first = this.#read();
    const isLate = await within(this.#first, milliseconds, true) === true;
    return this.stream(isLate ? this.format.silence : undefined, silenceMs);
  }

  stream(head?: Chunk, silenceMs = 0): ReadableStream<Chunk> {
    const { silence } = this.format;
    let next = head;
    let pulse: ReturnType<typeof heartbeat> | undefined;
    return new ReadableStream({
      start: (controller) => {
        if (silence === undefined || silenceMs === 0) return;
        pulse = heartbeat(silenceMs, () => {
          // Where the one before is not taken yet, the client is slow, and the connection not silent.
          if (controller.desiredSize === 0) controller.enqueue(silence);
        });
      },
      pull: async (controller) => {
        pulse?.sent();
        try {
          const bytes = next ?? await (this.#first ?? this.#read());
          if (next === undefined) this.#first = undefined;
          next = undefined;
          if (bytes !== undefined) return controller.enqueue(bytes);
        } catch (error) {
          pulse?.stop();
          throw error;
        }
        pulse?.stop();
        controller.close();
      },
      cancel: () => {
        pulse?.stop();
        return this.#close();
      },
    }, { highWaterMark: 0 });
  }

  async #read(): Promise<Chunk | undefined> {
    for (;;) {
      const { done, value } = await this.#run(() => this.#iterator.next());
      if (done) return undefined;
      try {
        const bytes = this.format.encode(value);
        // Streams take no empty chunk.
        if (bytes.length > 0) return bytes;
      } catch (error) {
        await this.#close();
        throw error;
      }
    }
  }

  async #close(): Promise<void> {
    await this.#run(() => this.#iterator.return?.());
  }
}

const encoder = new TextEncoder();

export const PLAIN_PIECES: PieceFormat = {
  encode(piece) {
    if (typeof piece === "string") return encoder.encode(piece);
    if (piece instanceof Uint8Array) return piece as Chunk;
    throw new TypeError(
      `Cannot send a part of a body: expected a string or bytes, found ${typeof piece}; ` +
        "to send it as an event, set the content type 'text/event-stream'",
    );
  },
};

function heartbeat(milliseconds: number, beat: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = 0;
  const wait = (left: number) => {
    timer = setTimeout(() => {
      const left = last + milliseconds - performance.now();
      if (left > 1) return wait(left);
      last = performance.now();
      wait(milliseconds);
      beat();
    }, left);
  };
  return {
    /** Restarts the interval. Setting a timer each time would cost more than sending most events. */
    sent() {
      last = performance.now();
      if (timer === undefined) wait(milliseconds);
    },
    stop() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
