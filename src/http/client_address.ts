import type { Context } from "hono";
import { peerOf } from "../runtime/mod.ts";
import { type Address, type Addresses, parseAddress } from "./addresses.ts";
import { originalOf } from "./serving.ts";

export interface TrustedProxies {
  readonly has: Addresses;
  readonly field: "x-forwarded-for" | "forwarded";
}

export function trustProxies(env: unknown, proxies: TrustedProxies): void {
  if (typeof env === "object" && env !== null) trusted.set(env, proxies);
}

/**
 * The address of the client: of the other side of the connection or, where that is a trusted proxy, what the proxies
 * say. Their list is read from the right, where the nearest has written, up to the first that is no trusted proxy:
 * everything before it may be made up. Only one field counts: a proxy may pass on what a client wrote into the other.
 */
export function clientAddress(context: Context): string | undefined {
  const peer = peerOf(originalOf(context.req.raw), context.env);
  if (peer === undefined) return undefined;
  let address = parseAddress(peer.replace(/%.*$/, ""));
  const proxies = trusted.get(context.env ?? {});
  if (address === undefined || proxies === undefined) return address?.text ?? peer;
  const list = context.req.raw.headers.get(proxies.field);
  const hops = hopsOf(list, proxies.field === "forwarded" ? forOf : undefined);
  while (proxies.has(address)) {
    const before: Address | undefined = addressOf(hops.next().value ?? "");
    if (before === undefined) break;
    address = before;
  }
  return address.text;
}

const trusted = new WeakMap<object, TrustedProxies>();

/** The proxy before the last, and so on to the client: one by one, as the header may be the client's and long. */
function* hopsOf(
  list: string | null,
  read: (element: string) => string = (element) => element,
): Generator<string, undefined> {
  let end = list?.length ?? -1;
  while (list !== null && end >= 0) {
    const comma = commaBefore(list, end);
    const element = list.slice(comma + 1, end).trim();
    // Empty elements do not count (RFC 9110, 5.6.1).
    if (element !== "") yield read(element);
    end = comma;
  }
  return undefined;
}

/** The last comma before `end` that is not part of a quoted string; -1 where there is none. */
function commaBefore(list: string, end: number): number {
  let isQuoted = false;
  for (let at = end - 1; at >= 0; at--) {
    if (list[at] === "," && !isQuoted) return at;
    if (list[at] !== '"') continue;
    let escapes = at;
    while (list[escapes - 1] === "\\") escapes--;
    if ((at - escapes) % 2 === 0) isQuoted = !isQuoted;
  }
  return -1;
}

/** The parameter `for` of an element of `Forwarded` (RFC 7239, 4), without its quotes. */
function forOf(element: string): string {
  for (const parameter of element.match(PARAMETERS) ?? []) {
    const at = parameter.indexOf("=");
    if (parameter.slice(0, Math.max(at, 0)).trim().toLowerCase() !== "for") continue;
    const value = parameter.slice(at + 1).trim();
    return value.length > 1 && value.startsWith('"') && value.endsWith('"')
      ? value.slice(1, -1)
      : value;
  }
  return "";
}

/** A semicolon in a quoted string separates nothing. */
const PARAMETERS = /(?:[^;"]|"(?:[^"\\]|\\.)*"?)+/g;

/** An address as proxies write it: perhaps in brackets, perhaps with a port. */
function addressOf(hop: string): Address | undefined {
  const text = hop.trim();
  const [, bracketed] = /^\[([^\]]*)\](?::\d+)?$/.exec(text) ?? [];
  return parseAddress(bracketed ?? text.replace(/^([\d.]+):\d+$/, "$1"));
}
