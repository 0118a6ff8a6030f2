import type { Server } from "node:http";
import { loadNodeServer } from "./_node_server.ts";
import { checkPort, listenError } from "./_listen.ts";
import { nodeProcess } from "./_node_process.ts";
import type { FetchHandler, HttpServer, Runtime, ServeOptions } from "./types.ts";

/** The adapter for Node 22 and later. */
export function nodeRuntime(): Runtime {
  return { ...nodeProcess(), name: "node", serve };
}

/** Serves by `@hono/node-server`, which is loaded only now. */
async function serve(handler: FetchHandler, options: ServeOptions): Promise<HttpServer> {
  checkPort(options);
  const { createAdaptorServer } = await loadNodeServer();
  const server = createAdaptorServer({ fetch: handler }) as Server;
  const { port, hostname } = options;
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) => reject(listenError(options, cause)));
    server.listen({ port, host: hostname }, resolve);
  });
  return {
    port: (server.address() as { readonly port: number }).port,
    hostname,
    async shutdown(drained) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // Node would wait for connections that are kept open after their last response. Looked for only now: to hear of
      // the end of every response costs each of them.
      const closing = setInterval(() => server.closeIdleConnections(), 5);
      await drained;
      await closed;
      clearInterval(closing);
    },
  };
}
