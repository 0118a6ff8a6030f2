import type { Hono } from "hono";
import type { Config } from "../config/mod.ts";
import type { ManagedContext } from "../container/mod.ts";
import { opened, type Serving, trustProxies } from "../http/mod.ts";
import type { Runtime } from "../runtime/mod.ts";
import type { FailureLog, Route } from "../web/mod.ts";
import { admission } from "./admission.ts";
import type { Host } from "./host.ts";
import { ResponseCheck } from "./response_check.ts";
import type { Server } from "./server.ts";
import type { ServerSettings } from "./settings.ts";
import type { Application, Listening } from "./types.ts";

/** The parts that `bootstrap` made. */
export interface ApplicationParts {
  readonly hono: Hono;
  readonly context: ManagedContext;
  readonly config: Config;
  readonly routes: readonly Route[];
  readonly settings: ServerSettings;
  readonly serving: Serving;
  readonly log: FailureLog;
  /** When the start began, by `performance.now()`. */
  readonly started: number;
  readonly runtime?: Runtime;
  /** None where others serve the application. */
  readonly host?: Host;
}

/** Puts the parts together. `fetch` is bound: whoever serves the application calls it by itself. */
export function createApplication(parts: ApplicationParts): Application {
  const { hono, context, config, routes, started } = parts;
  const { trustedProxies } = parts.settings;
  const admit = admission();
  const compiled = hono.routes.length;
  const isExtended = () => hono.routes.length !== compiled;
  const dispatch: Application["fetch"] = (request, env, executionCtx) => {
    const admitted = admit(request);
    if (admitted !== request && admitted instanceof Response) return admitted;
    if (trustedProxies !== undefined) trustProxies(env, trustedProxies);
    const routed = isExtended() ? opened(admitted as Request) : admitted as Request;
    return hono.fetch(routed, env as Record<string, unknown>, executionCtx);
  };
  const check = new ResponseCheck(parts.log, isExtended);
  const fetch: Application["fetch"] = (request, env, executionCtx) => {
    const response = dispatch(request, env, executionCtx);
    return response instanceof Promise
      ? response.then((response) => check.checked(request, response))
      : check.checked(request, response);
  };
  let server: Server | undefined;
  let listening: Promise<Listening> | undefined;
  let closing: Promise<void> | undefined;
  const close = () => closing ??= server ? server.close() : context.close();
  const listen = async () => {
    if (!parts.host) {
      throw new Error("Cannot listen on an edge isolate: export default the application");
    }
    const [runtime, { Server }] = await Promise.all([
      parts.runtime ?? parts.host.loadRuntime(),
      parts.host.server(),
    ]);
    if (closing) throw new Error("Cannot listen: the application was closed");
    server = new Server({ ...parts, dispatch, check });
    const listening = await server.listen(runtime);
    try {
      await context.ready();
      if (server.isClosing) throw new Error("Cannot listen: the application was closed");
    } catch (error) {
      await close().catch(() => {}); // The first error is the one to mend.
      throw error;
    }
    const milliseconds = Math.round(performance.now() - started);
    const { address, port } = listening;
    const host = address.includes(":") ? `[${address}]` : address;
    // Not by the runtime's stream, which takes milliseconds to make.
    console.log(
      `Listening on http://${host}:${port} (${routes.length} routes, ${milliseconds} ms)`,
    );
    return listening;
  };
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
    listen: () => {
      if (closing) return Promise.reject(new Error("Cannot listen: the application was closed"));
      return listening ??= listen().catch((error) => {
        listening = undefined; // The address may be free the next time.
        throw error;
      });
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
