import { type HonoBun, loadBunWebSocket } from "./websocket.ts";
import { type Refuse, servingBy } from "../shared/listen.ts";
import { nodeProcess } from "../node/process.ts";
import { streamOf } from "../shared/responses.ts";
import { fetchLane, type Routed, routeHandler } from "../shared/fetch_lane.ts";
import type { Lane } from "../shared/lane.ts";
import type { FetchHandler, HttpServer, Runtime, ServeOptions } from "../types.ts";
import { upgradeBy } from "../shared/hono_web_socket.ts";
import type { UpgradeSocket } from "../shared/web_socket.ts";

export function bunRuntime(): Runtime {
  return { ...nodeProcess(), name: "bun", serve: servingBy(listen) };
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
    readonly routes?: Readonly<Record<string, object>>;
    readonly error: (error: unknown) => Response;
  }): BunServer;
}

interface BunServer {
  readonly port: number;
  readonly pendingRequests: number;
  timeout(request: Request, seconds: number): void;
  upgrade(request: Request, options: object): boolean;
  stop(closeActiveConnections?: boolean): Promise<void>;
}

function listen(handler: FetchHandler, options: ServeOptions, refuse: Refuse): HttpServer {
  const { websocket, upgrade, accepted } = webSockets();
  const { Bun } = globalThis as unknown as { readonly Bun: Bun };
  const { port, hostname, idleSeconds = 10, lane } = options;
  const take = lane && fetchLane(lane);
  /** Bun would cut off a handler that works for longer, and what is made while it is sent, such as events. */
  const unlimited = (request: Request, server: BunServer, response: Reply): Reply => {
    if (!(response instanceof Promise)) {
      if (streamOf(response)) server.timeout(request, 0);
      return response;
    }
    server.timeout(request, 0);
    return response.then((response) => {
      if (!streamOf(response)) server.timeout(request, idleSeconds);
      return accepted(request, response) ?? refuse(400, new Error("The handshake was aborted"));
    });
  };
  const routes = lane && nativeRoutes(lane, handler, unlimited);
  const server = Bun.serve({
    port,
    hostname,
    // Its error page for developers shows paths and sources.
    development: false,
    // Without it two servers would share a port where it is no development.
    reusePort: false,
    websocket,
    idleTimeout: idleSeconds,
    ...(routes && { routes }),
    fetch: (request, server) =>
      unlimited(request, server, take?.(request, server) ?? handler(request, server)),
    error: (error) => refuse(500, error),
  });
  return {
    port: server.port,
    async shutdown({ drained }) {
      void server.stop();
      await drained;
      // Responses that are ready have yet to be sent, and stopping by force would cut them off.
      while (server.pendingRequests > 0) await new Promise((resolve) => setTimeout(resolve, 5));
      // For connections that are kept open. Not awaited: it may never resolve (oven-sh/bun#36223).
      void server.stop(true);
    },
    cut: () => void server.stop(true),
    upgrade,
  };
}

type Reply = Response | Promise<Response>;

function nativeRoutes(
  lane: Lane,
  otherwise: FetchHandler,
  unlimited: (request: Request, server: BunServer, answer: Reply) => Reply,
): Readonly<Record<string, object>> | undefined {
  const routes: Record<string, Record<string, unknown>> = {};
  for (const route of lane.routes) {
    const limitless =
      (handle: (request: Routed, server: BunServer) => Reply) =>
      (request: Routed, server: BunServer) => unlimited(request, server, handle(request, server));
    const handlers = routes[route.path] ??= {};
    handlers[route.method] = limitless(routeHandler(lane, route, otherwise));
    // Otherwise the handler of GET would get it.
    handlers.HEAD = limitless(otherwise);
  }
  return lane.routes.length > 0 ? routes : undefined;
}

/** Hono's for Bun, loaded for the first WebSocket: with all else that it brings, a start would take 10 ms longer. */
function webSockets() {
  let hono: HonoBun | undefined;
  let offers: WeakMap<Request, (headers: Headers) => boolean> | undefined;
  const load = async () => hono ??= await loadBunWebSocket();
  // An application may call Hono's `upgradeWebSocket` by itself.
  const heard = (name: keyof HonoBun["websocket"]) => (...event: readonly unknown[]) =>
    hono ? hono.websocket[name](...event) : load().then((hono) => hono.websocket[name](...event));
  return {
    websocket: { open: heard("open"), message: heard("message"), close: heard("close") },
    async upgrade(...[context, request, listener]: Parameters<UpgradeSocket>) {
      const { upgradeWebSocket } = await load();
      const { req, env } = context as { readonly req: unknown; readonly env: BunServer };
      // Bun sends the response of an upgrade at once: only when middleware has added its header fields.
      const upgrade: BunServer["upgrade"] = (_, options) => {
        offers ??= new WeakMap();
        offers.set(request, (headers) => env.upgrade(request, { ...options, headers }));
        return true;
      };
      return await upgradeBy(upgradeWebSocket)({ req, env: { upgrade } }, request, listener);
    },
    /** Upgrades a request whose response says so, with its header fields; `undefined` where the client has left. */
    accepted(request: Request, response: Response) {
      const offer = offers?.get(request);
      const { ok, status, body } = response;
      if (offer === undefined || !(ok || status === 101) || body !== null) return response;
      return offer(response.headers) ? response : undefined;
    },
  };
}
