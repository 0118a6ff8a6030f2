import type { Context } from "hono";
import { brand } from "./brand.ts";
import { HttpError } from "./error.ts";
import { openRequest, type SocketListener, type UpgradeSocket } from "../runtime/mod.ts";

/** What the server that listens does for the requests of its application; little where there is none. */
export interface Serving {
  /** After how many seconds of silence an event stream sends a comment; never where it is 0 or left out. */
  readonly heartbeatSeconds?: number;
  /** Takes what fails when there is no answer that could say so. */
  log?: (message: string, error: unknown) => void;
  /** What it does for WebSockets. */
  sockets?: ServingSockets;
  /** The signal of a request: aborted when its client leaves, or the server does not wait for it any longer. */
  signal?: (request: Request) => AbortSignal;
  /** Whether no client waits for the response, as far as that is known without asking for the signal. */
  hasLeft?: (request: Request, error: unknown) => boolean;
  /** Aborts the signal of a request whose body ended too early: Deno does not. */
  brokeOff?: (request: Request) => void;
  /** Limits the time that reading a body takes, and fails it when the server ends. @throws {HttpError} 408 and 503, as a rejection */
  readInTime?: <T>(reading: Promise<T>) => Promise<T>;
  /** Lets the reading of a piece fail when the server ends. @throws {HttpError} 503, as a rejection */
  untilCut?: <T>(reading: Promise<T>) => Promise<T>;
}

/** What a server that listens does for WebSockets. */
export interface ServingSockets {
  /** Makes one, where the runtime takes its server for it. @throws {Error} when it cannot */
  readonly upgrade?: UpgradeSocket;
  /** Keeps a socket, to be closed at shutdown. @returns the listener that replaces `listener` */
  keep(request: Request, listener: SocketListener): SocketListener;
}

/** Whether no client waits for the response of a failed request: the client has left, or the server has ended. */
export function hasLeft(request: Request, error: unknown, serving?: Serving): boolean {
  const original = originalOf(request);
  const known = serving?.hasLeft?.(original, error);
  if (known !== undefined) return known;
  // Deno warns of who asks for a signal.
  return (asked.has(original) || isAbort(error)) && original.signal.aborted;
}

/** The requests whose signal code has asked for. */
export const asked: WeakSet<Request> = new WeakSet();

/** Whether work failed because it was aborted. */
export function isAbort(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  try {
    const { name, cause } = error;
    return name === "AbortError" || cause instanceof Error && cause.name === "AbortError";
  } catch {
    return false; // A getter may throw.
  }
}

/** Why a signal is aborted whose client does not wait any longer. */
export function clientLeft(): DOMException {
  return new DOMException("The client has left", "AbortError");
}

/** Why a signal is aborted that the server does not wait for. */
export class GoingAway extends DOMException {
  static {
    brand(this, "GoingAway");
  }

  /** Always the same: it is the process that ends. */
  constructor() {
    super("The server has ended", "AbortError");
  }
}

/** The failure of work whose client no longer waits ({@linkcode hasLeft}): 503 at shutdown, as a retry can succeed. */
export function abortedBy({ reason }: AbortSignal, cause: unknown): HttpError {
  return reason instanceof GoingAway
    ? new HttpError(503, reason.message, { cause })
    : new HttpError(400, "The client has left", { cause });
}

/** Lets a request stand for the one that came in: with another body, it has the same signal. */
export function replaceRequest(original: Request, replacement: Request): Request {
  originals.set(replacement, originalOf(original));
  return replacement;
}

/** Gives a context the real `Request`, because other code is going to see it. */
export function openContext({ req }: Context): void {
  req.raw = opened(req.raw);
}

/** The `Request` that one stands for; it stands for that one, in turn. */
export function opened(request: Request): Request {
  const found = openRequest(request);
  return found === request ? request : replaceRequest(request, found);
}

/** The request that came in. */
export function originalOf(request: Request): Request {
  return originals.get(request) ?? request;
}

const originals = new WeakMap<Request, Request>();
