export function expectBytes(request: Request, length: number): void {
  if (length > LARGE) large.add(request);
}

/**
 * Reads the body of a request. As its bytes come where the declared length is large: Deno makes room for all of it at
 * once, so that a client would only have to declare it. To ask for the stream of a body costs more than to read most.
 */
export function readBytes(request: Request): Promise<ArrayBuffer> {
  const { Deno } = globalThis as { readonly Deno?: unknown };
  if (Deno === undefined || !large.has(request) || request.body === null) {
    return request.arrayBuffer();
  }
  return collect(request.body, Number(request.headers.get("content-length")));
}

/** Longer bodies are read as their bytes come. */
export const LARGE = 131_072;
const large = new WeakSet<Request>();

async function collect(body: ReadableStream<Uint8Array>, length: number): Promise<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  // Not by `for await`, which costs as much again.
  const reader = body.getReader();
  for (let { done, value } = await reader.read(); !done;) {
    parts.push(value!);
    size += value!.byteLength;
    ({ done, value } = await reader.read());
  }
  if (size < length) throw new TypeError("The body ended before its declared length");
  return joined(parts).buffer;
}

export function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((size, part) => size + part.byteLength, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.byteLength;
  }
  return bytes;
}

export function mayHaveBody(method: string): boolean {
  return method !== "GET" && method !== "HEAD";
}

/** Whether the header fields of a request say that it has a body with a byte in it (RFC 9112, 6.3). */
export function declaresBody(field: (name: string) => string | null | undefined): boolean {
  return (field("transfer-encoding") ?? undefined) !== undefined ||
    (field("content-length") ?? "0") !== "0";
}

/**
 * A request that its adapter answers without a `Request`, as long as no code asks for one: it has what most responses
 * take, and a `Request` is made of it when anything else is asked for.
 */
export interface DirectRequest {
  /** Path and query as they were sent: what no URL would write otherwise, and without dot segments. */
  readonly target: string;
  readBytes(): Uint8Array<ArrayBuffer> | Promise<Uint8Array<ArrayBuffer>> | undefined;
}

interface Standing extends Request {
  readonly [DIRECT]?: DirectRequest;
}

export function directTarget(request: Standing): string | undefined {
  return request[DIRECT]?.target;
}

/** The body of a direct request, else `undefined`. It may be a view of a larger buffer: copy it. */
export function readDirectly(request: Standing): ReturnType<DirectRequest["readBytes"]> {
  return request[DIRECT]?.readBytes();
}

/** Registered, as the npm package has this module twice. */
export const DIRECT: unique symbol = Symbol.for("irori.direct") as never;
