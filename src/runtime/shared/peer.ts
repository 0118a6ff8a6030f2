/**
 * The address of the other side of a request's connection, by what the runtime gives beside a request: Deno its
 * `remoteAddr`, Bun a server that can be asked, `@hono/node-server` the message, AWS Lambda the event; Cloudflare's
 * isolates say it in a field that only they can set. Once the answer is sent some of them know no more.
 */
export function peerOf(request: Request, env: unknown): string | undefined {
  const { navigator } = globalThis as { readonly navigator?: { readonly userAgent?: string } };
  if (navigator?.userAgent === "Cloudflare-Workers") {
    return request.headers.get("cf-connecting-ip") ?? undefined;
  }
  if (typeof env !== "object" || env === null) return undefined;
  const given = (env as { readonly server?: Given }).server ?? env as Given;
  try {
    if (given.remoteAddr) return given.remoteAddr.hostname;
  } catch {
    return undefined; // Deno throws once the response is sent, if it was not asked for before.
  }
  const event = given.requestContext;
  if (event) return (event.http ?? event.identity)?.sourceIp;
  if (given.incoming) return given.incoming.socket?.remoteAddress;
  return given.requestIP?.(request)?.address;
}

interface Given {
  readonly requestContext?: Readonly<
    Partial<Record<"http" | "identity", { readonly sourceIp?: string }>>
  >;
  readonly remoteAddr?: { readonly hostname?: string };
  readonly incoming?: { readonly socket?: { readonly remoteAddress?: string } };
  readonly requestIP?: (request: Request) => { readonly address?: string } | null;
}

/** The shortest form of an IPv6 address; of one that holds an IPv4 address (`::ffff:127.0.0.1`) that address. */
export function shortestIpv6(text: string): string | undefined {
  // The parser of URLs knows all ways to write one, and gives the shortest.
  if (!/^[\da-f:.]+$/i.test(text) || !URL.canParse(`http://[${text}]/`)) return undefined;
  const short = new URL(`http://[${text}]/`).hostname.slice(1, -1);
  const [, ...halves] = /^::ffff:([\da-f]+):([\da-f]+)$/.exec(short) ?? [];
  const octets = halves.map((half) => parseInt(half, 16)).flatMap((
    half,
  ) => [half >> 8, half & 255]);
  return octets.length > 0 ? octets.join(".") : short;
}
