/** What the server that listens does for the requests of its application; nothing where there is none. */
export interface Serving {
  /** The signal of a request: aborted when its client leaves, or the server does not wait for it any longer. */
  signal?: (request: Request) => AbortSignal;
  /** Limits the time that reading a body takes. @throws {HttpError} 408, as a rejection */
  readInTime?: <T>(reading: Promise<T>) => Promise<T>;
}

/** Lets a request stand for the one that came in: with another body, it has the same signal. */
export function replaceRequest(original: Request, replacement: Request): Request {
  originals.set(replacement, originalOf(original));
  return replacement;
}

/** The request that came in. */
export function originalOf(request: Request): Request {
  return originals.get(request) ?? request;
}

const originals = new WeakMap<Request, Request>();
