import { type HonoBun, loadBunWebSocket } from "./websocket.ts";
import { upgradeBy } from "../shared/hono_web_socket.ts";
import { checkPort, listenError, refusal } from "../shared/listen.ts";
import { nodeProcess } from "../node/process.ts";
import { streamOf } from "../shared/responses.ts";
import type { FetchHandler, HttpServer, Runtime, ServeOptions } from "../types.ts";
import type { UpgradeSocket } from "../shared/web_socket.ts";

export function bunRuntime(): Runtime {
  return {
    ...nodeProcess(),
    name: "bun",
    // A promise, which an executor that throws rejects.
    serve: (handler, options) => new Promise((resolve) => resolve(serve(handler, options))),
  };
}

interface Bun {
  serve(options: {
    readonly port: number;
    readonly hostname: string;
    readonly development: boolean;
    readonly reusePort: boolean;
    readonly websocket?: object;
    readonly idleTimeout: number;
    readonly fetch: (request: Request, server: BunServer) => Response | Promise<Response>;
    readonly error: (error: unknown) => Response;
  }): BunServer;
}

interface BunServer {
  readonly port: number;
  readonly pendingRequests: number;
  timeout(request: Request, seconds: number): void;
  stop(closeActiveConnections?: boolean): Promise<void>;
}

function serve(handler: FetchHandler, options: ServeOptions): HttpServer {
  checkPort(options);
  const { websocket, upgrade } = webSockets();
  const { Bun } = globalThis as unknown as { readonly Bun: Bun };
  const { port, hostname, idleSeconds = 10 } = options;
  const refuse = refusal(options);
  try {
    const server = Bun.serve({
      port,
      hostname,
      // Its page for developers shows paths and sources to everybody.
      development: false,
      // Without it two servers would share a port where it is no development.
      reusePort: false,
      websocket,
      idleTimeout: idleSeconds,
      fetch: (request, server) => {
        const response = handler(request, server);
        if (!(response instanceof Promise)) {
          if (streamOf(response)) server.timeout(request, 0);
          return response;
        }
        // Bun would cut off a handler that works for longer, and what is made while it is sent, such as events.
        server.timeout(request, 0);
        return response.then((response) => {
          if (!streamOf(response)) server.timeout(request, idleSeconds);
          return response;
        });
      },
      error: (error) => refuse(500, error),
    });
    return {
      port: server.port,
      hostname,
      async shutdown({ drained }) {
        void server.stop();
        await drained;
        // What was produced has yet to be sent, and stopping by force would cut it off.
        while (server.pendingRequests > 0) await new Promise((resolve) => setTimeout(resolve, 5));
        // For connections that are kept open. Not awaited: it may never resolve (oven-sh/bun#36223).
        void server.stop(true);
      },
      cut: () => void server.stop(true),
      upgrade,
    };
  } catch (cause) {
    throw listenError(options, cause);
  }
}

/** Hono's for Bun, loaded for the first WebSocket: with all else that it brings, a start would take 10 ms longer. */
function webSockets(): { readonly websocket: object; readonly upgrade: UpgradeSocket } {
  let hono: HonoBun | undefined;
  const load = async () => hono ??= await loadBunWebSocket();
  // An application may call Hono's `upgradeWebSocket` by itself.
  const heard = (name: keyof HonoBun["websocket"]) => (...event: readonly unknown[]) =>
    hono ? hono.websocket[name](...event) : load().then((hono) => hono.websocket[name](...event));
  return {
    websocket: { open: heard("open"), message: heard("message"), close: heard("close") },
    upgrade: async (context, request, listener) => {
      const { upgradeWebSocket } = await load();
      return await upgradeBy(upgradeWebSocket)(context, request, listener);
    },
  };
}
