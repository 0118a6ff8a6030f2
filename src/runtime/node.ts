import type { Server } from "node:http";
import { httpClient } from "./_http_client.ts";
import { checkPort, listenError } from "./_listen.ts";
import { nodeProcess } from "./_node_process.ts";
import type { FetchHandler, HttpServer, Runtime, ServeOptions } from "./types.ts";

/** The adapter for Node 22 and later. */
export async function nodeRuntime(): Promise<Runtime> {
  const shared = await nodeProcess();
  return {
    ...shared,
    name: "node",
    serve,
    httpClient: (options) => httpClient(shared.env, options),
  };
}

/** Serves by `@hono/node-server`, which is loaded only now. */
async function serve(handler: FetchHandler, options: ServeOptions): Promise<HttpServer> {
  checkPort(options);
  const { createAdaptorServer } = await import("@hono/node-server");
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
