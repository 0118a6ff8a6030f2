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
  const list = headers.get("x-forwarded-for");
  const hops = list === null ? hopsOf(headers.get("forwarded"), forOf) : hopsOf(list);
  while (proxies(address)) {
    const before: Address | undefined = addressOf(hops.next().value ?? "");
    if (before === undefined) break;
    address = before;
  }
  return address.text;
}

const trusted = new WeakMap<object, Addresses>();

/** The proxy before the last, and so on to the client: one by one, as the header may be the client's and long. */
function* hopsOf(
  list: string | null,
  read: (element: string) => string = (element) => element,
): Generator<string, undefined> {
  let end = list?.length ?? -1;
  while (list !== null && end >= 0) {
    const start = end === 0 ? -1 : list.lastIndexOf(",", end - 1);
    yield read(list.slice(start + 1, end));
    end = start;
  }
  return undefined;
}

/** The parameter `for` of an element of `Forwarded` (RFC 7239, 4), without its quotes. */
function forOf(element: string): string {
  for (const parameter of element.split(";")) {
    const at = parameter.indexOf("=");
    if (parameter.slice(0, Math.max(at, 0)).trim().toLowerCase() !== "for") continue;
    const value = parameter.slice(at + 1).trim();
    return value.length > 1 && value.startsWith('"') && value.endsWith('"')
      ? value.slice(1, -1)
      : value;
  }
  return "";
}

/** An address as proxies write it: perhaps in brackets, perhaps with a port. */
function addressOf(hop: string): Address | undefined {
  const text = hop.trim();
  const [, bracketed] = /^\[([^\]]*)\](?::\d+)?$/.exec(text) ?? [];
  return parseAddress(bracketed ?? text.replace(/^([\d.]+):\d+$/, "$1"));
}
