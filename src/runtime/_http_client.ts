import { probe } from "./_probe.ts";
import type { Environment, HttpClient, HttpClientOptions } from "./types.ts";

/**
 * A client over the global `fetch`, or where TLS or proxy settings ask for more than that can do, over npm `undici`.
 * Not for Bun, whose `fetch` takes these settings.
 */
export function httpClient(env: Environment, options: HttpClientOptions = {}): HttpClient {
  return isPlain(options) ? plainClient(env) : undiciClient(options);
}

function isPlain({ verifyTls = true, caCert, clientCert, proxy }: HttpClientOptions): boolean {
  return verifyTls && caCert === undefined && clientCert === undefined && proxy === undefined;
}

function plainClient(env: Environment): HttpClient {
  return {
    fetch: (url, init) => fetch(url, init),
    // Behind the environment's proxy the host itself may be out of reach.
    probe: (url, timeoutMs) => proxied(env, url) ? Promise.resolve() : probe(url, timeoutMs),
    close: () => Promise.resolve(),
  };
}

function undiciClient(options: HttpClientOptions): HttpClient {
  let opened: Promise<Opened> | undefined;
  return {
    fetch: async (url, init) => {
      opened ??= open(options);
      const { fetch, dispatcher } = await opened;
      return await fetch(url, { ...init, dispatcher });
    },
    probe: (url, timeoutMs) => probe(options.proxy || url, timeoutMs),
    close: async () => await (await opened)?.dispatcher.close(),
  };
}

interface Opened {
  readonly fetch: (url: string, init: RequestInit & { dispatcher: unknown }) => Promise<Response>;
  readonly dispatcher: { close(): Promise<void> };
}

async function open(options: HttpClientOptions): Promise<Opened> {
  const { Agent, fetch, ProxyAgent } = await import("undici");
  const { rootCertificates } = await import("node:tls");
  const { verifyTls = true, caCert, clientCert, clientKey, proxy } = options;
  const tls = {
    rejectUnauthorized: verifyTls,
    ...(caCert !== undefined && { ca: [...rootCertificates, caCert] }),
    ...(clientCert !== undefined && { cert: clientCert, key: clientKey }),
  };
  const dispatcher = proxy
    ? new ProxyAgent({ uri: proxy, requestTls: tls, proxyTls: tls })
    : new Agent({ connect: tls });
  return { fetch: fetch as unknown as Opened["fetch"], dispatcher };
}

function proxied(env: Environment, url: string): boolean {
  const name = url.startsWith("https:") ? "https_proxy" : "http_proxy";
  return [name, name.toUpperCase(), "all_proxy", "ALL_PROXY"].some((variable) => env.get(variable));
}
