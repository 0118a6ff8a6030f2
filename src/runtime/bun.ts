import { checkPort, listenError } from "./_listen.ts";
import { nodeProcess } from "./_node_process.ts";
import { probe } from "./_probe.ts";
import { proxyOf } from "./_proxy.ts";
import type {
  Environment,
  FetchHandler,
  HttpClient,
  HttpClientOptions,
  HttpServer,
  Runtime,
  ServeOptions,
} from "./types.ts";

/** The adapter for Bun. */
export async function bunRuntime(): Promise<Runtime> {
  const shared = await nodeProcess();
  return {
    ...shared,
    name: "bun",
    // A promise, which an executor that throws rejects.
    serve: (handler, options) => new Promise((resolve) => resolve(serve(handler, options))),
    httpClient: (options) => httpClient(shared.env, options),
  };
}

/** What this adapter asks of the global `Bun`. */
interface Bun {
  serve(options: {
    readonly port: number;
    readonly hostname: string;
    readonly idleTimeout: number;
    readonly fetch: FetchHandler;
  }): {
    readonly port: number;
    stop(closeActiveConnections?: boolean): Promise<void>;
  };
}

function serve(handler: FetchHandler, options: ServeOptions): HttpServer {
  checkPort(options);
  const { Bun } = globalThis as unknown as { readonly Bun: Bun };
  try {
    // Bun would cut off what says nothing for 10 s, such as server-sent events.
    const server = Bun.serve({ ...options, idleTimeout: 0, fetch: (request) => handler(request) });
    return {
      port: server.port,
      hostname: options.hostname,
      async shutdown(drained) {
        const stopped = server.stop();
        await drained;
        // Not `stopped`: connections that are kept open would be waited for (oven-sh/bun#36223).
        await Promise.race([stopped, server.stop(true)]);
      },
    };
  } catch (cause) {
    throw listenError(options, cause);
  }
}

/** Bun's `fetch` takes TLS and proxy settings itself. */
function httpClient(env: Environment, options: HttpClientOptions = {}): HttpClient {
  const { verifyTls = true, caCert, clientCert, clientKey } = options;
  const tls = {
    rejectUnauthorized: verifyTls,
    ...(caCert !== undefined && { ca: caCert }),
    ...(clientCert !== undefined && { cert: clientCert, key: clientKey }),
  };
  return {
    fetch: (url, init) => {
      const settings = { tls, proxy: proxyOf(url, options, env) ?? "" };
      return fetch(url, { ...init, ...settings } as RequestInit);
    },
    probe: (url, timeoutMs) => probe(proxyOf(url, options, env) ?? url, timeoutMs),
    close: () => Promise.resolve(),
  };
}
