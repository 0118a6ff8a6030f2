import { builtin } from "./builtin.ts";
import { ConnectError, reasonOf } from "../errors.ts";

/** Directly, or to the proxy in front. @throws {ConnectError} also after `timeoutMs` */
export async function probe(
  url: string,
  proxy: string | undefined,
  timeoutMs: number,
): Promise<void> {
  const { hostname, port, protocol, host } = new URL(proxy ?? url);
  const prefix = proxy === undefined ? "" : `proxy ${host}: `;
  const signal = AbortSignal.timeout(timeoutMs);
  const address = {
    hostname: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port) || (protocol === "https:" ? 443 : 80),
    signal,
  };
  try {
    // It takes Deno 20 ms to load `node:net`.
    if ("Deno" in globalThis) (await Deno.connect(address)).close();
    else await connectByNode(address);
  } catch (cause) {
    if (signal.aborted) {
      throw new ConnectError(`${prefix}connecting took longer than ${timeoutMs / 1000} s`);
    }
    throw new ConnectError(prefix + reasonOf(cause), { cause });
  }
}

async function connectByNode(
  { hostname: host, port, signal }: { hostname: string; port: number; signal: AbortSignal },
): Promise<void> {
  const { connect } = builtin<typeof import("node:net")>("node:net");
  const { once } = builtin<typeof import("node:events")>("node:events");
  const socket = connect({ host, port });
  try {
    await once(socket, "connect", { signal });
  } finally {
    socket.destroy();
  }
}
