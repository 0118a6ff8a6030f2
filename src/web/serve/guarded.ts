import type { Context, Hono } from "hono";
import { HttpError, withNoStore } from "../../http/mod.ts";
import { NO_STORE, type Reply } from "../../runtime/web.ts";
import { followedBy, isThenable } from "../../text/mod.ts";
import { isOpenWithUser } from "../access.ts";
import { chain, changeResponse, commit } from "../answer/chain.ts";
import type { Bind } from "../bind/binder.ts";
import type { Handler } from "../bind/invoke.ts";
import { guardRoutes, type ServedRoute } from "../route/served_route.ts";
import { pathCheck, protectMounted } from "./mounted.ts";
import type { RouteExchange, RouteGuard } from "./exchange.ts";
import type { AccessCheck, AccessRule, Decisions, FailureLog, PathCheck } from "../types.ts";

/** @internal */
export interface Guard extends Decisions {
  guardRoutes(routes: readonly ServedRoute[]): readonly ServedRoute[];
  routeGuard(route: ServedRoute, log: FailureLog): RouteGuard | undefined;
  ruled(
    route: ServedRoute,
    handler: Handler,
  ): { readonly handler: Handler; readonly bind: Bind } | undefined;
  pathCheck(path: string, log: FailureLog, isProbe?: boolean): PathCheck | undefined;
  withNoStore(context: Context, response: Response): Response;
  protectMounted(hono: Hono, log: FailureLog): void;
}

export function guardBy(decisions: Decisions): Guard {
  return {
    ...decisions,
    guardRoutes: (routes) => guardRoutes(routes, decisions),
    routeGuard(route, log) {
      const { access } = route;
      if (access === undefined) return undefined;
      const check = isOpenWithUser(route)
        ? decisions.identifier(log)
        : decisions.checkOf(access, log);
      return check && routeGuard(decisions, check);
    },
    ruled({ accessRules }, handler) {
      if (accessRules.length === 0) return undefined;
      return { handler: authorized(handler, accessRules), bind: userBind(decisions) };
    },
    pathCheck: (path, log, isProbe) => pathCheck(decisions, path, log, isProbe),
    withNoStore(context, response) {
      if (decisions.userOf(context) === undefined) return response;
      // Prepared headers may control caching, too.
      const known = decisions.hasSeenContext(context) ? commit(context, response) : response;
      return changeResponse(context, known, withNoStore);
    },
    protectMounted: (hono, log) => protectMounted(hono, decisions, log),
  };
}

function routeGuard(
  { hasSeenContext, middleware, moveIdentity, userOf }: Decisions,
  check: AccessCheck,
): RouteGuard {
  const goOn = (exchange: RouteExchange): Reply => {
    if (middleware.length === 0) return exchange.afterAccess();
    const answer = chain(middleware, () => exchange.afterAccess() as Response, exchange.plan.fail);
    return followedBy<Response, Reply>(answer(exchange.context), (made) => exchange.finish(made));
  };
  return {
    hasSeenContext,
    moveIdentity,
    isOfUser: (exchange) => userOf(exchange) !== undefined,
    pass(exchange) {
      let checking: void | Promise<void>;
      try {
        checking = check(exchange);
      } catch (error) {
        return exchange.fail(error);
      }
      if (!isThenable(checking)) return goOn(exchange);
      return exchange.later(checking.then(() => goOn(exchange), (error) => exchange.fail(error)));
    },
    marked(exchange, response) {
      if (userOf(exchange) === undefined) return response;
      const { madeContext } = exchange;
      return madeContext
        ? changeResponse(madeContext, response, withNoStore)
        : withNoStore(response);
    },
  };
}

export function userBind(decisions: Decisions): Bind {
  return (exchange) => decisions.userOf(exchange);
}

/** Calls rules between binding and handler. The last parameters are the user, by {@linkcode userBind}, and the request. */
function authorized(handler: Handler, rules: readonly AccessRule[]): Handler {
  return function (this: unknown, ...parameters) {
    const [user, request] = parameters.splice(-2);
    parameters.push(request);
    const ask = (index: number): unknown => {
      const rule = rules[index];
      if (rule === undefined) return handler.call(this, ...parameters);
      return followedBy(rule.call(this, user, ...parameters), (answer) => {
        // No truthy value is a permission.
        if (answer !== true) throw forbidden();
        return ask(index + 1);
      });
    };
    return ask(0);
  };
}

/** The 403 of an authenticated user (RFC 9110, 15.5.4). */
export function forbidden(headers: Readonly<Record<string, string>> = {}): HttpError {
  return new HttpError(403, "Access is denied", { headers: { ...headers, ...NO_STORE } });
}
