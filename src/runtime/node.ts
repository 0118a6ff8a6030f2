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
  let isClosing = false;
  server.on("request", (_, response) => {
    // Node would wait for a connection that is kept open after its last response.
    response.once("close", () => isClosing && server.closeIdleConnections());
  });
  return {
    port: (server.address() as { readonly port: number }).port,
    hostname,
    async shutdown(drained) {
      isClosing = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await drained;
      server.closeIdleConnections();
      await closed;
    },
  };
}
