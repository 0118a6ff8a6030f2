import type { Context, Handler, Hono, Next } from "hono";
import type { AccessCheck, Guard } from "./guard.ts";
import type { FailureLog } from "./failure_log.ts";

/**
 * Protects what is mounted on the Hono app from now on, by whatever method of it: all of them end in its router, those of
 * apps below a path as well.
 */
export function protectMounted(hono: Hono, guard: Guard, log: FailureLog): void {
  const checks = new Map<string, AccessCheck | undefined>();
  const check = (context: Context) => {
    const access = guard.accessAt(context.req.path);
    const key = JSON.stringify(access);
    if (!checks.has(key)) checks.set(key, guard.checkOf(access, log));
    return checks.get(key)?.(context);
  };
  const passed = new WeakSet<Context>();
  const protect = (handler: Handler): Handler => async (context: Context, next: Next) => {
    // One of several handlers has found out already.
    if (!passed.has(context)) {
      await check(context);
      passed.add(context);
    }
    return await handler(context, next);
  };
  const { router } = hono;
  const add = router.add.bind(router);
  router.add = (method, path, [handler, route]) => {
    route.handler = protect(handler as Handler);
    add(method, path, [route.handler as Handler, route]);
  };
  const notFound = hono.notFound;
  hono.notFound = (handler) => notFound(protect(handler as Handler) as typeof handler);
}
