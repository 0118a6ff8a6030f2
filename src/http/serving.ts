import type { Context } from "hono";
import { brand } from "./brand.ts";
import { HttpError } from "./error.ts";
import type { SocketListener, UpgradeSocket } from "../runtime/web.ts";

export interface Serving {
  /** After how many seconds of silence an event stream sends a comment; never where it is 0 or left out. */
  readonly heartbeatSeconds?: number;
  log?: (message: string, error: unknown) => void;
  sockets?: ServingSockets;
  signal?: (request: Request) => AbortSignal;
  hasLeft?: (request: Request, error: unknown) => boolean;
  /** Aborts the signal of a request whose body ended too early: Deno does not. */
  brokeOff?: (request: Request) => void;
  /** Limits the time that reading a body takes, and fails it when the server ends. @throws {HttpError} 408 and 503, as a rejection */
  readInTime?: <T>(reading: Promise<T>) => Promise<T>;
  /** Lets the reading of a piece fail when the server ends. @throws {HttpError} 503, as a rejection */
  untilCut?: <T>(reading: Promise<T>) => Promise<T>;
}

interface ServingSockets {
  /** Makes one, where the runtime takes its server for it. @throws {Error} when it cannot */
  readonly upgrade?: UpgradeSocket;
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

export function clientLeft(): DOMException {
  return new DOMException("The client disconnected", "AbortError");
}

export class GoingAway extends DOMException {
  static {
    brand(this, "GoingAway");
  }

  constructor() {
    super("The server has ended", "AbortError");
  }
}

/** The failure of work whose client no longer waits ({@linkcode hasLeft}): 503 at shutdown, as a retry can succeed. */
export function abortedBy({ reason }: AbortSignal, cause: unknown): HttpError {
  return reason instanceof GoingAway
    ? new HttpError(503, reason.message, { cause })
    : new HttpError(400, "The client disconnected", { cause });
}

/** Lets a request stand for the one that came in: with another body, it has the same signal. */
export function replaceRequest(original: Request, replacement: Request): Request {
  originals.set(replacement, originalOf(original));
  return replacement;
}

export function originalOf(request: Request): Request {
  return originals.get(request) ?? request;
}

const originals = new WeakMap<Request, Request>();

/** By which an answer says that it takes the whole connection. Registered, as applications may have two copies. */
export const UPGRADE: unique symbol = Symbol.for("irori.upgrade") as never;

export interface Upgrade {
  /** Makes the answer. @throws {HttpError} when the request asks for no such thing */
  [UPGRADE](context: Context, serving?: Serving): Promise<Response>;
}

export function isUpgrade(value: unknown): value is Upgrade {
  return typeof value === "object" && value !== null && UPGRADE in value;
}
