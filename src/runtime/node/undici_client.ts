import { notInstalled } from "../shared/packages.ts";
import { proxyOf } from "../shared/proxy.ts";
import { tlsOptions } from "../shared/pem.ts";
import type { Environment, HttpClientOptions, Requests } from "../types.ts";

/** A client over the global `fetch`, or where TLS or proxy settings ask for more than that can do, over npm `undici`. */
export function undiciClient(env: Environment, options: HttpClientOptions): Requests {
  const { verifyTls = true, caCert, clientCert, proxy } = options;
  const isPlain = verifyTls && (caCert ?? clientCert ?? proxy) === undefined;
  const dispatchers = new Map<string, Dispatcher>();
  let loaded: ReturnType<typeof loadUndici> | undefined;
  return {
    fetch: async (url, init, { once = false } = {}) => {
      const proxy = proxyOf(url, options, env);
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
      const undici = await (loaded ??= loadUndici());
      const key = `${proxy} ${once}`;
      const dispatcher = dispatchers.get(key) ?? dispatcherOf(undici, options, proxy, once);
      dispatchers.set(key, dispatcher);
      return await undici.fetch(url, { ...init, dispatcher } as object) as unknown as Response;
    },
    close: async () => {
      await loaded?.catch(() => {}); // The request that loaded it has failed.
      // Not `close()`, which waits for unread bodies.
      await Promise.all([...dispatchers.values()].map((dispatcher) => dispatcher.destroy()));
      dispatchers.clear();
    },
  };
}

/** Each request by a connection of its own: one that is kept may be about to close. */
const ONCE = { pipelining: 0 };

let plainOnce: Dispatcher | undefined;

interface Dispatcher {
  destroy(): Promise<void>;
}

interface GlobalDispatcher {
  readonly constructor: new (options: object) => Dispatcher;
}

/** Node publishes the dispatcher of the global `fetch` by this symbol alone, and does not export its class. */
function globalDispatcher(): GlobalDispatcher | undefined {
  const { [Symbol.for("undici.globalDispatcher.1")]: current } = globalThis as {
    readonly [name: symbol]: GlobalDispatcher | undefined;
  };
  return current;
}

function dispatcherOf(
  { Agent, ProxyAgent }: Awaited<ReturnType<typeof loadUndici>>,
  options: HttpClientOptions,
  proxy: string | undefined,
  once: boolean,
): Dispatcher {
  const tls = tlsOptions(options);
  const more = once ? ONCE : {};
  return proxy === undefined
    ? new Agent({ connect: tls, ...more })
    : new ProxyAgent({ uri: proxy, requestTls: tls, proxyTls: tls, ...more });
}

/** In `try`, so that webpack, too, resolves a missing package only when it is needed. */
async function loadUndici(): Promise<typeof import("undici")> {
  try {
    return await import("undici");
  } catch (cause) {
    return notInstalled("undici")(cause);
  }
}
