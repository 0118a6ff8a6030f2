import type { IncomingMessage, ServerResponse } from "node:http";
import { NodeHeaders, standForHeaders } from "./headers.ts";
import { standIn } from "./stand_in.ts";
import { declaresBody, DIRECT, type DirectRequest, mayHaveBody } from "../../shared/read_bytes.ts";

export class NodeRequest implements DirectRequest {
  readonly #origin: string;
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;
  readonly #make: () => Request;
  #headers?: NodeHeaders;
  #request?: Request;
  #body: "unread" | "reading" | "read" = "unread";
  readonly hasBody: boolean;

  constructor(
    origin: string,
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    make: () => Request,
  ) {
    this.#origin = origin;
    this.#incoming = incoming;
    this.#outgoing = outgoing;
    this.#make = make;
    const { headers } = incoming;
    this.hasBody = declaresBody((name) => headers[name] as string | undefined);
  }

  get [DIRECT](): DirectRequest {
    return this;
  }

  get target(): string {
    return this.#incoming.url as string;
  }

  get url(): string {
    return this.#origin + this.target;
  }

  get method(): string {
    return this.#incoming.method as string;
  }

  get headers(): NodeHeaders {
    return this.#headers ??= new NodeHeaders(this.#incoming);
  }

  /** There is none without a length or an encoding (RFC 9112, 6.3). */
  get body(): ReadableStream<Uint8Array> | null {
    return this.hasBody ? this.open().body : null;
  }

  get bodyUsed(): boolean {
    return this.#body !== "unread" || this.#request?.bodyUsed === true;
  }

  /** Asked for late, it is that of a client which has left already. */
  get signal(): AbortSignal {
    const { destroyed, writableFinished } = this.#outgoing;
    if (this.#request === undefined && destroyed && !writableFinished) return AbortSignal.abort();
    return this.open().signal;
  }

  get isReceived(): boolean {
    return this.#body === "read" || !this.hasBody || this.#incoming.complete;
  }

  open(): Request {
    if (this.#request !== undefined) return this.#request;
    const made = this.#make();
    const request = this.#body === "unread" ? made : used(made);
    // Both share one `Headers`, so that a change of either is a change of the other.
    Object.defineProperty(request, "headers", { value: this.headers });
    if (!this.hasBody) Object.defineProperty(request, "body", { value: null });
    return this.#request = request;
  }

  readBytes(): ReturnType<DirectRequest["readBytes"]> {
    const incoming = this.#incoming;
    const isOurs = this.#request === undefined && this.#body === "unread" &&
      mayHaveBody(this.method) && !(this.hasBody && incoming.destroyed);
    if (!isOurs) return undefined;
    const read = this.hasBody ? readIncoming(incoming) : new Uint8Array();
    if (!(read instanceof Promise)) {
      this.#body = "read";
      return read;
    }
    this.#body = "reading";
    return read.then((bytes) => {
      this.#body = "read";
      return bytes;
    });
  }

  /** The reading of its body began before this was created. */
  markRead(): void {
    this.#body = this.#incoming.complete ? "read" : "reading";
  }
}

/** Reads a body that has a length or is chunked, synchronously if all of it has arrived. */
export function readIncoming(
  incoming: IncomingMessage,
): Uint8Array<ArrayBuffer> | Promise<Uint8Array<ArrayBuffer>> {
  const { complete, readableLength, headers } = incoming;
  if (complete || readableLength === Number(headers["content-length"])) {
    // Nothing observes its end then: listening for it takes as long as waiting for it.
    return incoming.read() ?? new Uint8Array();
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer<ArrayBuffer>[] = [];
    const data = (chunk: Buffer<ArrayBuffer>) => chunks.push(chunk);
    const end = () => {
      // A connection keeps its last request, which must not keep its body.
      incoming.off("data", data).off("end", end).off("error", fail);
      resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
    };
    // Its last byte may have arrived before the end event.
    const fail = (error: Error) => {
      const size = chunks.reduce((sum, { length }) => sum + length, 0);
      if (incoming.complete && size === Number(headers["content-length"])) end();
      else reject(error);
    };
    incoming.on("data", data).on("end", end).on("error", fail);
  });
}

/** The same request with its body already consumed: it must not look like an empty one. */
function used({ url, method, headers, signal }: Request): Request {
  const request = new Request(url, { method, headers, signal, body: "read" });
  void request.text();
  return request;
}

let made: unknown;

/**
 * Lets requests stand for what is a `Request` now, and new ones be made of them. Called with each request, as adapters
 * put others in its place at any time.
 */
export function standForRequests(): void {
  if (globalThis.Request === made) return;
  standForHeaders();
  const Original = Request;
  standIn(NodeRequest, Original, (request) => request.open());
  const value = class Request extends Original {
    static override [Symbol.hasInstance](one: unknown): boolean {
      return this === value
        ? one instanceof Original
        : Function.prototype[Symbol.hasInstance].call(this, one);
    }

    constructor(input: RequestInfo | URL, init?: RequestInit) {
      super(input instanceof NodeRequest ? input.open() : input, init);
    }
  };
  const member = { value: made = value, writable: true, configurable: true };
  Object.defineProperty(globalThis, "Request", member);
  Object.defineProperty(NodeRequest.prototype, "constructor", member);
}
