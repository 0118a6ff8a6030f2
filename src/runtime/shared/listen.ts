import { ListenError } from "../errors.ts";
import type { ServeOptions } from "../types.ts";

/** Refuses what is no TCP port: the runtimes differ in what they make of it. @throws {ListenError} */
export function checkPort(options: ServeOptions): void {
  if (Number.isInteger(options.port) && options.port >= 0 && options.port <= 65_535) return;
  throw new ListenError(options.hostname, options.port, "expected a port from 0 to 65535");
}

export function refusal({ refused }: ServeOptions): (status: number, error: unknown) => Response {
  return (status, error) => refused?.(status, error) ?? new Response(null, { status });
}

/** The result of an attempt to listen, in the same words on every runtime. */
export function listenError(options: ServeOptions, cause: unknown): ListenError {
  const { code = "", message } = cause instanceof Error
    ? cause as Error & { readonly code?: string }
    : { message: String(cause) };
  return new ListenError(options.hostname, options.port, REASONS[code] ?? message, { cause });
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: "the address is in use",
  EADDRNOTAVAIL: "this machine does not have the address",
  EACCES: "it is not permitted",
  ENOTFOUND: "unknown host",
  EAI_AGAIN: "unknown host",
};
