import { notInstalled } from "./packages.ts";
import { probe } from "./_probe.ts";
import { proxyOf } from "./_proxy.ts";
import { tlsOptions } from "./_tls.ts";
import type { Environment, HttpClient, HttpClientOptions } from "./types.ts";

/** A client over the global `fetch`, or where TLS or proxy settings ask for more than that can do, over npm `undici`. */
export function undiciClient(env: Environment, options: HttpClientOptions): HttpClient {
  const proxyFor = (url: string) => proxyOf(url, options, env);
  let opened: Promise<Undici> | undefined;
  return {
    fetch: async (url, init) => {
      const proxy = proxyFor(url);
      if (proxy === undefined && isPlain(options)) return await fetch(url, init);
      const undici = await (opened ??= open(options));
      return await undici.fetch(url, { ...init, dispatcher: undici.dispatcher(proxy) });
    },
    probe: (url, timeoutMs) => probe(proxyFor(url) ?? url, timeoutMs),
    close: async () => await (await opened)?.close(),
  };
}

/** Whether the global `fetch` will do, which may ask the environment for a proxy. */
function isPlain({ verifyTls = true, caCert, clientCert, proxy }: HttpClientOptions): boolean {
  return verifyTls && caCert === undefined && clientCert === undefined && proxy === undefined;
}

interface Dispatcher {
  destroy(): Promise<void>;
}

interface Undici {
  fetch(url: string, init: RequestInit & { readonly dispatcher: Dispatcher }): Promise<Response>;
  dispatcher(proxy: string | undefined): Dispatcher;
  close(): Promise<void>;
}

async function open(options: HttpClientOptions): Promise<Undici> {
  const { Agent, fetch, ProxyAgent } = await loadUndici();
  const tls = tlsOptions(options);
  const dispatchers = new Map<string, Dispatcher>();
  return {
    fetch: fetch as unknown as Undici["fetch"],
    dispatcher: (proxy = "") => {
      const dispatcher = dispatchers.get(proxy) ??
        (proxy === ""
          ? new Agent({ connect: tls })
          : new ProxyAgent({ uri: proxy, requestTls: tls, proxyTls: tls }));
      dispatchers.set(proxy, dispatcher);
      return dispatcher;
    },
    // Not `close()`, which waits for bodies that nobody reads.
    close: async () => {
      await Promise.all([...dispatchers.values()].map((dispatcher) => dispatcher.destroy()));
      dispatchers.clear();
    },
  };
}

/** In `try`, by which webpack, too, leaves a package that is not there to the moment when it is needed. */
async function loadUndici(): Promise<typeof import("undici")> {
  try {
    return await import("undici");
  } catch (cause) {
    return notInstalled("undici")(cause);
  }
}
