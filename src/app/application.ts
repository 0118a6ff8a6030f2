import type { Hono } from "hono";
import type { Config } from "../config/mod.ts";
import type { ApplicationContext } from "../container/mod.ts";
import type { Runtime } from "../runtime/mod.ts";
import type { Route, StreamTracker } from "../web/mod.ts";
import type { Host } from "./host.ts";
import type { Server } from "./server.ts";
import type { ServerSettings } from "./settings.ts";
import type { Application } from "./types.ts";

/** The parts that `bootstrap` made. */
export interface ApplicationParts {
  readonly hono: Hono;
  readonly context: ApplicationContext;
  readonly config: Config;
  readonly routes: readonly Route[];
  readonly settings: ServerSettings;
  readonly streams: StreamTracker;
  /** When the start began, by `performance.now()`. */
  readonly started: number;
  readonly runtime?: Runtime;
  /** None where others serve the application. */
  readonly host?: Host;
}

/** Puts the parts together. `fetch` is bound: whoever serves the application calls it by itself. */
export function createApplication(parts: ApplicationParts): Application {
  const { hono, context, config, routes, started } = parts;
  const fetch: Application["fetch"] = (request, env, executionCtx) => {
    return hono.fetch(request, env as Record<string, unknown>, executionCtx);
  };
  let server: Server | undefined;
  let closing: Promise<void> | undefined;
  const close = () => closing ??= server ? server.close() : context.close();
  return {
    fetch,
    hono,
    context,
    config,
    routes,
    async request(input, init, env) {
      const request = input instanceof Request && init === undefined
        ? input
        : new Request(input instanceof Request ? input : new URL(input, "http://localhost"), init);
      return await fetch(request, env);
    },
    async listen() {
      if (!parts.host) {
        throw new Error("Cannot listen on an edge isolate: export default the application");
      }
      const [runtime, { Server }] = await Promise.all([
        parts.runtime ?? parts.host.loadRuntime(),
        parts.host.server(),
      ]);
      if (closing) throw new Error("Cannot listen: the application was closed");
      server ??= new Server({ ...parts, fetch });
      const listening = await server.listen(runtime);
      const milliseconds = Math.round(performance.now() - started);
      const { address, port } = listening;
      const host = address.includes(":") ? `[${address}]` : address;
      // Not by the runtime's stream, which takes milliseconds to make.
      console.log(
        `Listening on http://${host}:${port} (${routes.length} routes, ${milliseconds} ms)`,
      );
      return listening;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
