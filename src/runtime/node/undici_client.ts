import { notInstalled } from "../shared/packages.ts";
import { probe } from "../shared/probe.ts";
import { proxyOf } from "../shared/proxy.ts";
import { tlsOptions } from "../shared/pem.ts";
import type { Environment, HttpClient, HttpClientOptions } from "../types.ts";

/** A client over the global `fetch`, or where TLS or proxy settings ask for more than that can do, over npm `undici`. */
export function undiciClient(env: Environment, options: HttpClientOptions): HttpClient {
  const proxyFor = (url: string) => proxyOf(url, options, env);
  const { verifyTls = true, caCert, clientCert, proxy } = options;
  const isPlain = verifyTls && (caCert ?? clientCert ?? proxy) === undefined;
  let opened: Promise<Undici> | undefined;
  return {
    fetch: async (url, init, { once = false } = {}) => {
      const proxy = proxyFor(url);
      if (isPlain && proxy === undefined) {
        const current = globalDispatcher();
        // Before the first request no connection is kept.
        if (!once || current === undefined) return await fetch(url, init);
        // Not so where npm `undici` was loaded, which puts a wrapper there.
        if (/Agent$/.test(current.constructor.name)) {
          plainOnce ??= new current.constructor(ONCE);
          return await fetch(url, { ...init, dispatcher: plainOnce } as RequestInit);
        }
      }
      const undici = await (opened ??= open(options));
      return await undici.fetch(url, { ...init, dispatcher: undici.dispatcher(proxy, once) });
    },
    probe: (url, timeoutMs) => probe(url, proxyFor(url), timeoutMs),
    close: async () => await (await opened)?.close(),
  };
}

/** Each request by a connection of its own: one that is kept may be about to close. */
const ONCE = { pipelining: 0 };

let plainOnce: Dispatcher | undefined;

interface GlobalDispatcher {
  readonly constructor: new (options: object) => Dispatcher;
}

/** What the global `fetch` sends by: Node has no other name for it, and none for its class. */
function globalDispatcher(): GlobalDispatcher | undefined {
  const { [Symbol.for("undici.globalDispatcher.1")]: current } = globalThis as {
    readonly [name: symbol]: GlobalDispatcher | undefined;
  };
  return current;
}

interface Dispatcher {
  destroy(): Promise<void>;
}

interface Undici {
  fetch(url: string, init: RequestInit & { readonly dispatcher: Dispatcher }): Promise<Response>;
  dispatcher(proxy: string | undefined, once: boolean): Dispatcher;
  close(): Promise<void>;
}

async function open(options: HttpClientOptions): Promise<Undici> {
  const { Agent, fetch, ProxyAgent } = await loadUndici();
  const tls = tlsOptions(options);
  const dispatchers = new Map<string, Dispatcher>();
  return {
    fetch: fetch as unknown as Undici["fetch"],
    dispatcher: (proxy = "", once) => {
      const key = `${proxy} ${once}`;
      const more = once ? ONCE : {};
      const dispatcher = dispatchers.get(key) ??
        (proxy === ""
          ? new Agent({ connect: tls, ...more })
          : new ProxyAgent({ uri: proxy, requestTls: tls, proxyTls: tls, ...more }));
      dispatchers.set(key, dispatcher);
      return dispatcher;
    },
    // Not `close()`, which waits for unread bodies.
    close: async () => {
      await Promise.all([...dispatchers.values()].map((dispatcher) => dispatcher.destroy()));
      dispatchers.clear();
    },
  };
}

/** In `try`, so that webpack, too, resolves a missing package only when it is needed. */
async function loadUndici(): Promise<typeof import("undici")> {
  try {
    return await import("undici");
  } catch (cause) {
    return notInstalled("undici")(cause);
  }
}
