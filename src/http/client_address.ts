import type { Context } from "hono";
import { peerOf } from "../runtime/mod.ts";
import { type Address, type Addresses, parseAddress } from "./addresses.ts";
import { originalOf } from "./serving.ts";

/**
 * Lets some proxies say where requests come from.
 *
 * @param env what the runtime gives beside each of the requests
 */
export function trustProxies(env: unknown, proxies: Addresses): void {
  if (typeof env === "object" && env !== null) trusted.set(env, proxies);
}

/**
 * The address of the client: of the other side of the connection or, where that is a trusted proxy, what the proxies
 * say. Their list is read from the right, where the nearest has written, up to the first that is no trusted proxy:
 * everything before it may be made up. `X-Forwarded-For` counts before `Forwarded` (RFC 7239, 5.2).
 */
export function clientAddress(context: Context): string | undefined {
  const peer = peerOf(originalOf(context.req.raw), context.env);
  if (peer === undefined) return undefined;
  let address = parseAddress(peer.replace(/%.*$/, ""));
  const proxies = trusted.get(context.env ?? {});
  if (address === undefined || proxies === undefined) return address?.text ?? peer;
  const { headers } = context.req.raw;
  const hops = hopsOf(headers.get("x-forwarded-for"), headers.get("forwarded"));
  while (proxies(address) && hops.length > 0) {
    const before: Address | undefined = addressOf(hops.pop() ?? "");
    if (before === undefined) break;
    address = before;
  }
  return address.text;
}

const trusted = new WeakMap<object, Addresses>();

/** The client first, then each proxy but the last. */
function hopsOf(forwardedFor: string | null, forwarded: string | null): string[] {
  if (forwardedFor !== null) return forwardedFor.split(",");
  return (forwarded ?? "").split(",").map((hop) => {
    return /(?:^|;)\s*for="?([^";]*)"?\s*(?:;|$)/i.exec(hop)?.[1] ?? "";
  });
}

/** An address as proxies write it: perhaps in brackets, perhaps with a port. */
function addressOf(hop: string): Address | undefined {
  const text = hop.trim();
  const [, bracketed] = /^\[([^\]]*)\](?::\d+)?$/.exec(text) ?? [];
  return parseAddress(bracketed ?? text.replace(/^([\d.]+):\d+$/, "$1"));
}
