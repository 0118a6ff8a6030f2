/**
 * A request that its adapter answers without a `Request`, for as long as nobody wants one: it has what most answers
 * take, and a `Request` is made of it when anything else is asked for.
 */
export interface DirectRequest {
  /** Path and query as they were sent: what no URL would write otherwise, and without dot segments. */
  readonly target: string;
  /** The `Request` that it stands for, always the same. From then on the answer goes by the ways of `fetch`. */
  open(): Request;
  /** Reads the body, at once where all of it is there; `undefined` where that is for the `Request` to do. */
  readBytes(): Uint8Array<ArrayBuffer> | Promise<Uint8Array<ArrayBuffer>> | undefined;
}

/** What an adapter says of a request, where it is a direct one. */
function directOf(request: Request): DirectRequest | undefined {
  return (request as { readonly [DIRECT]?: DirectRequest })[DIRECT];
}

/** The target of a direct request; `undefined` for all others, which have a URL alone. */
export function directTarget(request: Request): string | undefined {
  return directOf(request)?.target;
}

/**
 * Reads the body of a direct request; `undefined` for all others. The bytes may be a part of what belongs to somebody
 * else: who gives them on copies them.
 */
export function readDirectly(request: Request): ReturnType<DirectRequest["readBytes"]> {
  return directOf(request)?.readBytes();
}

/** The `Request` for somebody else, who may want to make another one of it. */
export function openRequest(request: Request): Request {
  return directOf(request)?.open() ?? request;
}

/** Registered, as the npm package has this module twice. */
export const DIRECT: unique symbol = Symbol.for("irori.direct") as never;
