export interface Address {
  /** As it is written shortest: an IPv4 address in IPv6 (`::ffff:127.0.0.1`) is that IPv4 address. */
  readonly text: string;
  readonly bits: 32 | 128;
  readonly value: bigint;
}

export function parseAddress(text: string): Address | undefined {
  if (IPV4.test(text)) return { text, bits: 32, value: numberOf(text.split("."), 10, 8n) };
  // The parser of URLs knows all ways to write one, and gives the shortest.
  if (!/^[\da-f:.]+$/i.test(text) || !URL.canParse(`http://[${text}]/`)) return undefined;
  const short = new URL(`http://[${text}]/`).hostname.slice(1, -1);
  const [head = [], tail = []] = short.split("::").map((part) => part.split(":").filter(Boolean));
  const zeros = Array<string>(8 - head.length - tail.length).fill("0");
  const value = numberOf([...head, ...zeros, ...tail], 16, 16n);
  return value >> 32n === 0xffffn ? ipv4Of(value & 0xffffffffn) : { text: short, bits: 128, value };
}

export type Addresses = (address: Address) => boolean;

/** Addresses (`10.0.0.1`) and blocks of them (`10.0.0.0/8`; RFC 4632, 3.1). @throws {RangeError} */
export function parseAddresses(texts: readonly string[]): Addresses {
  const blocks = texts.map((text) => {
    const [, base = "", length] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
    const address = parseAddress(base);
    const prefix = Number(length ?? address?.bits);
    if (address === undefined || prefix > address.bits) {
      throw new RangeError(`expected addresses or blocks such as '10.0.0.0/8', found '${text}'`);
    }
    const { bits, value } = address;
    const rest = BigInt(bits - prefix);
    return (other: Address) => other.bits === bits && other.value >> rest === value >> rest;
  });
  return (address) => blocks.some((has) => has(address));
}

const OCTET = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
const IPV4 = new RegExp(`^${OCTET}(?:\\.${OCTET}){3}$`);

function numberOf(digits: readonly string[], radix: 10 | 16, bits: bigint): bigint {
  return digits.reduce((value, digit) => value << bits | BigInt(parseInt(digit, radix)), 0n);
}

function ipv4Of(value: bigint): Address {
  const octets = [24n, 16n, 8n, 0n].map((shift) => value >> shift & 0xffn);
  return { text: octets.join("."), bits: 32, value };
}
