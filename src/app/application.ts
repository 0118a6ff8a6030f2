import { trustProxies } from "../http/mod.ts";
import type { Runtime } from "../runtime/mod.ts";
import { followedBy } from "../text/mod.ts";
import type { FieldSource, Guard } from "../web/mod.ts";
import { admission } from "./server/admission.ts";
import type { Listener } from "./listener.ts";
import { ResponseCheck } from "./server/response_check.ts";
import type { Assembled } from "./settings.ts";
import type { Application } from "./types.ts";

interface ApplicationParts extends Assembled {
  readonly runtime?: Runtime;
  readonly guard?: Pick<Guard, "checkPaths">;
  readonly fields?: FieldSource;
  readonly listener?: Listener;
}

/** Assembles the application. `fetch` is bound, as servers call it as a plain function. */
export function createApplication(parts: ApplicationParts): Application {
  const { hono, context, config, guard, fields, listener, settings: { trustedProxies } } = parts;
  const { fetch: routed, request } = hono;
  const admit = admission();
  const compiled = hono.routes.length;
  const isExtended = () => hono.routes.length !== compiled || listener?.isReplaced === true;
  listener?.watch(hono);
  const checkPaths = () => {
    guard?.checkPaths();
    route = routed;
  };
  // Everything is mounted before the first request.
  let route: typeof routed = (...given) => {
    checkPaths();
    return route(...given);
  };
  const trust = (env: unknown) => {
    if (trustedProxies) trustProxies(env, trustedProxies);
  };
  const dispatch: Application["fetch"] = (request, env, executionCtx) => {
    const admitted = admit(request);
    if (admitted !== request && admitted instanceof Response) return admitted;
    trust(env);
    return fields?.before(admitted as Request) ??
      route(admitted as Request, env as Record<string, unknown>, executionCtx);
  };
  const check = new ResponseCheck(parts.log, isExtended, fields);
  const fetch: Application["fetch"] = (request, env, executionCtx) => {
    const dispatched = dispatch(request, env, executionCtx);
    return followedBy(dispatched, (response) => check.checked(request, response));
  };
  let closing: Promise<void> | undefined;
  const close = () => closing ??= listener ? listener.close(context) : context.close();
  return Object.assign(hono, {
    fetch,
    hono,
    context,
    config,
    routeTable: parts.routes,
    request: async (...parameters: Parameters<typeof request>) => await request(...parameters),
    listen() {
      const { acceptsHost } = admit;
      const served = { ...parts, dispatch, check, trust, acceptsHost, checkPaths };
      return listener?.listen(served, parts.runtime) ?? Promise.reject(
        new Error("Cannot listen on an edge isolate: export default the application"),
      );
    },
    close,
    [Symbol.asyncDispose]: close,
  });
}
