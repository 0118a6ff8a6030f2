import { builtin } from "./builtin.ts";
import { ConnectError } from "../errors.ts";

/** Directly, or to the proxy in front. @throws {ConnectError} also after `timeoutMs` */
export async function probe(
  url: string,
  proxy: string | undefined,
  timeoutMs: number,
): Promise<void> {
  const { hostname, port, protocol, host } = new URL(proxy ?? url);
  const prefix = proxy === undefined ? "" : `proxy ${host}: `;
  const address: Address = {
    hostname: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port) || (protocol === "https:" ? 443 : 80),
  };
  const { Deno } = globalThis as { readonly Deno?: DenoNet };
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    // It takes Deno 20 ms to load `node:net`.
    if (Deno) (await Deno.connect({ ...address, signal })).close();
    else await connectByNode(address, signal);
  } catch (cause) {
    if (signal.aborted) {
      throw new ConnectError(`${prefix}connecting took longer than ${timeoutMs / 1000} s`);
    }
    throw new ConnectError(prefix + reasonOf(cause), { cause });
  }
}

interface Address {
  readonly hostname: string;
  readonly port: number;
}

interface DenoNet {
  connect(options: Address & { readonly signal: AbortSignal }): Promise<{ close(): void }>;
}

async function connectByNode({ hostname, port }: Address, signal: AbortSignal): Promise<void> {
  const { connect } = builtin<typeof import("node:net")>("node:net");
  const socket = connect({ host: hostname, port });
  try {
    await new Promise<void>((resolve, reject) => {
      signal.addEventListener("abort", reject);
      socket.once("connect", resolve);
      socket.once("error", reject);
    });
  } finally {
    socket.destroy();
  }
}

function reasonOf(cause: unknown): string {
  const { code = "", message } = cause as Error & { readonly code?: string };
  // Deno gives it no code.
  const isUnknownHost = message.startsWith("failed to lookup address");
  return REASONS[isUnknownHost ? "ENOTFOUND" : code] ?? message;
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "connection reset",
  EHOSTUNREACH: "no route to the host",
  ENETUNREACH: "no route to the network",
  ENOTFOUND: "unknown host",
  EAI_AGAIN: "unknown host",
  ETIMEDOUT: "no connection in time",
};
