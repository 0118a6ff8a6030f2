import { malformed, type PartHead } from "./part_head.ts";
import type { Part } from "./types.ts";

export interface PartSource {
  read(): Promise<Uint8Array<ArrayBuffer> | undefined>;
  cancel(): void;
}

export class StreamedPart implements Part {
  readonly name: string;
  readonly filename?: string;
  readonly type: string;
  #body?: ReadableStream<Uint8Array<ArrayBuffer>>;
  #bytes?: Promise<Uint8Array<ArrayBuffer>>;

  constructor({ name, filename, type }: PartHead, private readonly source: PartSource) {
    this.name = name;
    if (filename !== undefined) this.filename = filename;
    this.type = type;
  }

  get body(): ReadableStream<Uint8Array<ArrayBuffer>> {
    return this.#body ??= new ReadableStream({
      pull: async (controller) => {
        const bytes = await this.source.read();
        if (bytes === undefined) controller.close();
        else controller.enqueue(bytes);
      },
      cancel: () => this.source.cancel(),
    }, { highWaterMark: 0 });
  }

  bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return this.#bytes ??= heard(collect(this.body));
  }

  text(): Promise<string> {
    return heard(this.bytes().then((bytes) => this.#decode(bytes)));
  }

  get isTaken(): boolean {
    return this.#body !== undefined;
  }

  /** Resolves when the whole body is in memory, or has failed, if code has asked for that. */
  get collected(): Promise<unknown> | undefined {
    return this.#bytes?.catch(() => {});
  }

  #decode(bytes: Uint8Array): string {
    try {
      return UTF8.decode(bytes);
    } catch (cause) {
      throw malformed(`the part '${shortened(this.name)}' is not UTF-8`, cause);
    }
  }
}

/** The reader of the next part receives the failure; it must not become an unhandled rejection. */
function heard<T>(reading: Promise<T>): Promise<T> {
  reading.catch(() => {});
  return reading;
}

const UTF8 = new TextDecoder("utf-8", { fatal: true });

async function collect(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body) {
    pieces.push(piece);
    size += piece.byteLength;
  }
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const piece of pieces) {
    bytes.set(piece, offset);
    offset += piece.byteLength;
  }
  return bytes;
}

/** Names are the client's, and may be long. */
export function shortened(name: string): string {
  return name.length > 100 ? `${name.slice(0, 100)}…` : name;
}
