import { checkPort, listenError } from "./_listen.ts";
import { nodeProcess } from "./_node_process.ts";
import type { FetchHandler, HttpServer, Runtime, ServeOptions } from "./types.ts";

/** The adapter for Bun. */
export function bunRuntime(): Runtime {
  return {
    ...nodeProcess(),
    name: "bun",
    // A promise, which an executor that throws rejects.
    serve: (handler, options) => new Promise((resolve) => resolve(serve(handler, options))),
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
    readonly pendingRequests: number;
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
        void server.stop();
        await drained;
        // What was produced has yet to be sent, and stopping by force would cut it off.
        while (server.pendingRequests > 0) await new Promise((resolve) => setTimeout(resolve, 5));
        // For connections that are kept open. Not awaited: it may never resolve (oven-sh/bun#36223).
        void server.stop(true);
      },
    };
  } catch (cause) {
    throw listenError(options, cause);
  }
}
