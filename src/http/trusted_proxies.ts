import type { Context } from "hono";
import { shortestIpv6 } from "../runtime/web.ts";

export interface TrustedProxies {
  readonly has: Addresses;
  readonly field: "x-forwarded-for" | "forwarded";
}

export function trustProxies(env: unknown, proxies: TrustedProxies): void {
  if (typeof env === "object" && env !== null) trusted.set(env, proxies);
}

/**
 * The address that trusted proxies report for the peer. Their list is read from the right, where the nearest has written,
 * up to the first that is no trusted proxy: everything before it may be made up. Only one field counts: a proxy may pass
 * on what a client wrote into the other.
 */
export function behindProxies(peer: string, { env, req }: Context): string {
  const proxies = trusted.get(env ?? {});
  let address = proxies && parseAddress(peer);
  if (proxies === undefined || address === undefined) return peer;
  const list = req.raw.headers.get(proxies.field);
  const hops = hopsOf(list, proxies.field === "forwarded" ? forOf : undefined);
  while (proxies.has(address)) {
    const before = addressOf(hops.next().value ?? "");
    if (before === undefined) break;
    address = before;
  }
  return address.text;
}

interface Address {
  readonly text: string;
  readonly bits: 32 | 128;
  readonly value: bigint;
}

export function parseAddress(input: string): Address | undefined {
  const short = shortestIpv6(input);
  const text = short ?? input;
  if (IPV4.test(text)) return { text, bits: 32, value: toBits(text.split("."), 10, 8n) };
  if (short === undefined) return undefined;
  const [head = [], tail = []] = text.split("::").map((part) => part.split(":").filter(Boolean));
  const zeros = Array<string>(8 - head.length - tail.length).fill("0");
  return { text, bits: 128, value: toBits([...head, ...zeros, ...tail], 16, 16n) };
}

export type Addresses = (address: Address) => boolean;

/** Addresses (`10.0.0.1`) and blocks of them (`10.0.0.0/8`; RFC 4632, 3.1). @throws {RangeError} */
export function parseAddresses(texts: readonly string[]): Addresses {
  const blocks = texts.map((text) => {
    const [, base = "", length] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
    const address = parseAddress(base);
    const prefix = Number(length ?? address?.bits);
    if (address === undefined || prefix > address.bits) {
      throw new RangeError(`expected IPs or CIDR blocks such as '10.0.0.0/8', found '${text}'`);
    }
    const { bits, value } = address;
    const rest = BigInt(bits - prefix);
    return (other: Address) => other.bits === bits && other.value >> rest === value >> rest;
  });
  return (address) => blocks.some((has) => has(address));
}

const OCTET = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
const IPV4 = new RegExp(`^${OCTET}(?:\\.${OCTET}){3}$`);

function toBits(digits: readonly string[], radix: 10 | 16, bits: bigint): bigint {
  return digits.reduce((value, digit) => value << bits | BigInt(parseInt(digit, radix)), 0n);
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
