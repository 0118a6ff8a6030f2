import { malformed, PartHead } from "./part_head.ts";

/** The pieces of a body, in order: the head of a part, its bytes, its end, the next head. */
export type Piece =
  | { readonly kind: "head"; readonly head: PartHead }
  | { readonly kind: "bytes"; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: "end" };

type State = "preamble" | "body" | "delimited" | "head" | "done";

/** Takes a body (RFC 7578) apart as its bytes come, whatever their chunks; keeps one head at most. */
export class MultipartParser {
  /** The separator of two parts. A carriage return is nowhere but at its head. */
  readonly #delimiter: Uint8Array<ArrayBuffer>;
  #chunk: Uint8Array<ArrayBuffer> = new Uint8Array();
  #at = 0;
  #state: State = "preamble";
  #preambleBytes = 0;
  /** How many bytes of the delimiter, or of the two after it, have come. The first one has no line before it. */
  #matched = 2;
  #isLast = false;
  #head = new PartHead();

  constructor(boundary: string) {
    this.#delimiter = new TextEncoder().encode(`\r\n--${boundary}`);
  }

  feed(chunk: Uint8Array<ArrayBuffer>): void {
    this.#chunk = chunk;
    this.#at = 0;
  }

  /** `undefined` if more bytes are needed. @throws {BindingError} 400 */
  next(): Piece | undefined {
    while (this.#at < this.#chunk.length) {
      const piece = this.#step();
      if (piece !== undefined) return piece;
    }
    return undefined;
  }

  /** @throws {BindingError} 400 when there has to be more */
  end(): void {
    if (this.#state === "done") return;
    const isFound = this.#state !== "preamble" || this.#preambleBytes === 0;
    throw malformed(
      isFound ? "it ends before its closing boundary" : "it does not have its boundary",
    );
  }

  #step(): Piece | undefined {
    switch (this.#state) {
      case "preamble":
        return this.#preamble();
      case "body":
        return this.#body();
      case "delimited":
        return this.#delimited();
      case "head":
        return this.#headLine();
      case "done":
        // Bytes after the last part have no meaning (RFC 2046, 5.1.1).
        this.#at = this.#chunk.length;
    }
  }

  /** Bytes before the first part have no meaning (RFC 2046, 5.1.1); where they exist, they end with a line break. */
  #preamble(): undefined {
    const piece = this.#body();
    if (piece?.kind !== "bytes") return;
    this.#preambleBytes += piece.bytes.length;
    if (this.#preambleBytes <= MAX_PREAMBLE_BYTES) return;
    throw malformed(`there is no boundary in its first ${MAX_PREAMBLE_BYTES} bytes`);
  }

  #body(): Piece | undefined {
    const chunk = this.#chunk;
    const delimiter = this.#delimiter;
    if (this.#matched > 0) {
      this.#match();
      if (this.#matched === delimiter.length) return this.#endPart();
      if (this.#at === chunk.length) return undefined;
      // The end of the chunk before this one was no delimiter.
      return { kind: "bytes", bytes: delimiter.slice(0, this.#enter(this.#state)) };
    }
    const start = this.#at;
    let end = returnIn(chunk, start);
    while (end >= 0) {
      this.#at = end;
      this.#match();
      if (this.#matched === delimiter.length || this.#at === chunk.length) break;
      end = returnIn(chunk, this.#at);
      this.#matched = 0;
    }
    if (end < 0) end = this.#at = chunk.length;
    if (end > start) {
      this.#at = end;
      this.#matched = 0;
      return { kind: "bytes", bytes: chunk.subarray(start, end) };
    }
    return this.#matched === delimiter.length ? this.#endPart() : undefined;
  }

  #delimited(): undefined {
    const byte = this.#chunk[this.#at++];
    if (this.#matched++ === 0) {
      this.#isLast = byte === HYPHEN;
      if (byte !== HYPHEN && byte !== CARRIAGE_RETURN) throw malformed(AFTER_BOUNDARY);
      return;
    }
    if (byte !== (this.#isLast ? HYPHEN : LINE_FEED)) throw malformed(AFTER_BOUNDARY);
    this.#enter(this.#isLast ? "done" : "head");
    this.#head = new PartHead();
  }

  #headLine(): Piece | undefined {
    const lineFeed = this.#chunk.indexOf(LINE_FEED, this.#at);
    const end = lineFeed < 0 ? this.#chunk.length : lineFeed + 1;
    const head = this.#head;
    head.add(this.#chunk.subarray(this.#at, end));
    this.#at = end;
    if (lineFeed < 0 || !head.endLine()) return undefined;
    this.#enter("body");
    return { kind: "head", head };
  }

  #endPart(): Piece {
    this.#enter("delimited");
    return { kind: "end" };
  }

  #match(): void {
    const chunk = this.#chunk;
    const delimiter = this.#delimiter;
    let at = this.#at;
    let matched = this.#matched;
    while (matched < delimiter.length && at < chunk.length && chunk[at] === delimiter[matched]) {
      at++;
      matched++;
    }
    this.#at = at;
    this.#matched = matched;
  }

  #enter(state: State): number {
    const matched = this.#matched;
    this.#state = state;
    this.#matched = 0;
    return matched;
  }
}

const MAX_PREAMBLE_BYTES = 8192;
const AFTER_BOUNDARY = "a boundary is followed by neither a line break nor '--'";
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const HYPHEN = 0x2d;

/** Where the next carriage return is, or -1. Most are far; where they are near, to ask the engine takes ten times as long. */
function returnIn(chunk: Uint8Array, from: number): number {
  const near = Math.min(from + NEAR, chunk.length);
  for (let at = from; at < near; at++) {
    if (chunk[at] === CARRIAGE_RETURN) return at;
  }
  return chunk.indexOf(CARRIAGE_RETURN, near);
}

const NEAR = 16;
