/**
 * The address of the other side of a request's connection, by what the runtime gives beside a request: Deno its
 * `remoteAddr`, Bun a server that can be asked, `@hono/node-server` the message; Cloudflare's isolates say it in a field
 * that only they can set.
 */
export function peerOf(request: Request, env: unknown): string | undefined {
  const { navigator } = globalThis as { readonly navigator?: { readonly userAgent?: string } };
  if (navigator?.userAgent === "Cloudflare-Workers") {
    return request.headers.get("cf-connecting-ip") ?? undefined;
  }
  if (typeof env !== "object" || env === null) return undefined;
  const given = env as Given & { readonly server?: Given };
  const { remoteAddr, incoming, requestIP } = given.server ?? given;
  if (remoteAddr) return remoteAddr.hostname;
  if (incoming) return incoming.socket?.remoteAddress;
  return requestIP?.call(given.server ?? given, request)?.address;
}

interface Given {
  readonly remoteAddr?: { readonly hostname?: string };
  readonly incoming?: { readonly socket?: { readonly remoteAddress?: string } };
  readonly requestIP?: (request: Request) => { readonly address?: string } | null;
}
