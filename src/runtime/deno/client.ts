import { proxyOf } from "../shared/proxy.ts";
import { undiciClient } from "../node/undici_client.ts";
import type { Environment, HttpClientOptions, Requests } from "../types.ts";

/** A client over Deno's `fetch`; npm `undici` accepts any certificate and ignores a proxy. */
export function denoClient(env: Environment, options: HttpClientOptions): Requests {
  const { verifyTls = true, caCert, clientCert, proxy } = options;
  const isPlain = caCert === undefined && clientCert === undefined && (proxy ?? false) === false;
  const isBeyond = (url: string) =>
    !verifyTls || (proxy === false && proxyOf(url, { ...options, proxy: undefined }, env));
  const undici = undiciClient(env, options);
  const clients = new Map<boolean, Deno.HttpClient>();
  const clientFor = (once: boolean) => {
    const client = clients.get(once) ?? Deno.createHttpClient(clientOptions(options, once));
    clients.set(once, client);
    return client;
  };
  return {
    fetch: async (url, init, { once = false } = {}) => {
      if (isBeyond(url)) return await undici.fetch(url, init);
      if (!once && isPlain) return await fetch(url, init);
      return await fetch(url, { ...init, client: clientFor(once) });
    },
    close: async () => {
      for (const client of clients.values()) client.close();
      clients.clear();
      await undici.close();
    },
  };
}

function clientOptions(
  { caCert, clientCert, clientKey, proxy }: HttpClientOptions,
  once: boolean,
): Deno.CreateHttpClientOptions {
  return {
    ...(caCert !== undefined && { caCerts: [caCert] }),
    ...(clientCert !== undefined && clientKey !== undefined &&
      { cert: clientCert, key: clientKey }),
    ...(proxy && { proxy: { url: proxy } }),
    // On a kept connection that closes before an answer, a request is sent again below us, POST included.
    ...(once && { poolMaxIdlePerHost: 0, http2: false }),
  };
}
