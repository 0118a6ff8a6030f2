import type { Context, Handler, Hono, Next } from "hono";
import { routePath } from "hono/route";
import { getPath } from "hono/utils/url";
import { isResponse, withNoStore } from "../../http/mod.ts";
import { routingPath } from "../path/routing_path.ts";
import type { Access, AccessCheck, Decisions, FailureLog, PathCheck } from "../types.ts";

/** Protects handlers that are mounted later. All methods of Hono, also of apps below a path, end in `router.add`. */
export function protectMounted(hono: Hono, decisions: Decisions, log: FailureLog): void {
  const passed = new WeakMap<Context, PathCheck>();
  const protect = (path: string, handler: Handler, pathOf?: typeof pathBelow): Handler => {
    const check = pathCheck(decisions, path, log, false, pathOf);
    if (check === undefined) return handler;
    return async (context: Context, next: Next) => {
      if (passed.get(context) !== check) {
        await check(context);
        passed.set(context, check);
      }
      const response: unknown = await handler(context, next);
      // Middleware returns nothing if the next one responds.
      if (!isResponse(response) || decisions.userOf(context) === undefined) return response;
      return withNoStore(response);
    };
  };
  const { router } = hono;
  const add = router.add.bind(router);
  router.add = (method, path, [handler, route]) => {
    route.handler = protect(path, handler as Handler);
    add(method, path, [route.handler as Handler, route]);
  };
  const notFound = hono.notFound;
  hono.notFound = (handler) => {
    return notFound(protect("/*", handler as Handler, sentPath) as typeof handler);
  };
}

/** The path that was routed: middleware may have changed `context.req.path` since. */
function sentPath({ req: { path, raw } }: Context): string {
  if (path === routingPath(raw)) return path;
  // The path in the app that mounts this one.
  return getPath(raw);
}

export function pathCheck(
  decisions: Decisions,
  path: string,
  log: FailureLog,
  isProbe?: boolean,
  pathOf: (context: Context, path: string) => string = pathBelow,
): PathCheck | undefined {
  const access = decisions.accessAt(path, isProbe);
  if (typeof access !== "function") return decisions.checkOf(access, log);
  const checks = new Map<Access, AccessCheck | undefined>();
  return (context) => {
    const asked = access(pathOf(context, path));
    if (!checks.has(asked)) checks.set(asked, decisions.checkOf(asked, log));
    return checks.get(asked)?.(context);
  };
}

/** The application may be mounted below a path of another one. @throws {TypeError} */
function pathBelow(context: Context, path: string): string {
  const asked = sentPath(context);
  const routed = routePath(context);
  if (routed === path) return asked;
  const start = routed.slice(0, -path.length);
  if (!routed.endsWith(path) || /[*?{]/.test(start)) {
    throw new TypeError(
      `Cannot determine the access to '${routed}': mount the application at a path without '*', '?' and '{'`,
    );
  }
  return `/${asked.split("/").slice(start.split("/").length).join("/")}`;
}
