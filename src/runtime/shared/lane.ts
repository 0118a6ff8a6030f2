import type { Head } from "./responses.ts";
import { LARGE } from "./read_bytes.ts";

/** How the requests of one runtime are read and answered; `N` is what its server calls handlers with. */
export interface Transport<N> {
  target(native: N): string;
  header(native: N, name: string): string | null;
  read(native: N): Bytes | Promise<Bytes>;
  json(native: N, text: string, status: number, head: Head): Reply;
  send(native: N, response: Response): Reply;
  /** The `Request`, which {@linkcode send} answers from then on. @param isRead whether its body was read */
  open(native: N, isRead: boolean): Request;
  /** The environment that Hono's helpers for the runtime need beside the request. */
  env(native: N, given: unknown): unknown;
}

type Bytes = ArrayBuffer | Uint8Array<ArrayBuffer>;

/** Nothing where the response was written already. */
export type Reply = Response | undefined | Promise<Response | undefined>;

export interface LaneCall {
  readonly readsBody: boolean;
  readonly maxBytes: number;
  answer(): Reply;
}

/**
 * Answers requests that need neither Hono nor a `Request`. It takes only what it knows to be plain; whatever it leaves is
 * untouched, and answered in the ordinary way, which has all checks.
 */
export interface Lane {
  /** False once the server closes, or the Hono app was extended. */
  isOpen(): boolean;
  acceptsHost(host: string): boolean;
  /** @param path as it was sent, without the query */
  match<N>(
    transport: Transport<N>,
    native: N,
    env: unknown,
    method: string,
    path: string,
  ): LaneCall | undefined;
  /** Routes for runtimes with a router of their own. */
  readonly routes: readonly LaneRoute[];
}

export interface LaneRoute {
  readonly method: string;
  readonly path: string;
  /** @param variables their values by name, decoded */
  match<N>(
    transport: Transport<N>,
    native: N,
    env: unknown,
    variables: Readonly<Record<string, string>>,
  ): LaneCall | undefined;
}

/** Whether a text needs no decoding, and no URL would write it otherwise. */
export function isPlainSegment(text: string): boolean {
  return PLAIN_SEGMENT.test(text);
}

const PLAIN_SEGMENT = /^(?!\.\.?$)[\w.~-]+$/;

export const LANE_BODY_TYPE: string = "application/json";

/** Whether a call has a body that it can take as a whole or, if it reads none, has none. */
export function fitsBody(
  { readsBody, maxBytes }: LaneCall,
  { length = null, type }: { readonly [name in "length" | "type"]?: string | null },
): boolean {
  if (!readsBody) return length === null || length === "0";
  return length !== null && /^[1-9]\d{0,5}$/.test(length) &&
    Number(length) <= Math.min(maxBytes, LARGE) && type === LANE_BODY_TYPE;
}
