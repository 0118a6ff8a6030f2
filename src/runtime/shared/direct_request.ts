/**
 * A request that its adapter answers without a `Request`, as long as no code asks for one: it has what most responses
 * take, and a `Request` is made of it when anything else is asked for.
 */
export interface DirectRequest {
  /** Path and query as they were sent: what no URL would write otherwise, and without dot segments. */
  readonly target: string;
  /** The `Request` that it stands for, always the same. From then on the answer goes by the ways of `fetch`. */
  open(): Request;
  readBytes(): Uint8Array<ArrayBuffer> | Promise<Uint8Array<ArrayBuffer>> | undefined;
}

function directOf(request: Request): DirectRequest | undefined {
  return (request as { readonly [DIRECT]?: DirectRequest })[DIRECT];
}

export function directTarget(request: Request): string | undefined {
  return directOf(request)?.target;
}

/** The body of a direct request, else `undefined`. It may be a view of a larger buffer: copy it. */
export function readDirectly(request: Request): ReturnType<DirectRequest["readBytes"]> {
  return directOf(request)?.readBytes();
}

/** The `Request` that one stands for; anything else as it is. */
export function openRequest<T>(input: T): T | Request {
  return typeof input === "object" && input !== null
    ? directOf(input as unknown as Request)?.open() ?? input
    : input;
}

/** Registered, as the npm package has this module twice. */
export const DIRECT: unique symbol = Symbol.for("irori.direct") as never;
