import type { Context, HonoRequest, MiddlewareHandler } from "hono";
import { HonoRequest as MatchedRequest } from "hono/request";
import type { Router } from "hono/router";
import { TrieRouter } from "hono/router/trie-router";
import { mayHaveBody } from "../../runtime/web.ts";
import { followedBy, isThenable } from "../../text/mod.ts";
import { announced, answerOf, type FailureResponder, type Responder } from "../answer/chain.ts";
import { limitBody } from "../bind/body_limit.ts";
import { groupsOf, honoPaths } from "../path/hono_paths.ts";
import { routingPath } from "../path/routing_path.ts";
import type { Pattern } from "../path/pattern.ts";
import { type Guard, guardOf } from "../path/variables.ts";
import { apiVersionsOf } from "../route/route_versions.ts";
import type { ServedRoute } from "../route/served_route.ts";
import { automaticResponder, versionRefusal } from "./automatic.ts";
import { type Candidate, dispatcher } from "./dispatch.ts";
import { type Endpoint, registerEndpoints } from "./endpoint.ts";
import { Hono } from "./hono.ts";
import { type LaneMiddleware, onLane } from "./plan.ts";
import { type RouteEnvironment, routeResponder } from "./route_responder.ts";

export interface CompileOptions extends
  Omit<
    RouteEnvironment,
    "hasMiddleware" | "isOnLane" | "notFound"
  > {
  readonly middleware: readonly LaneMiddleware[];
  readonly endpoints?: readonly Endpoint[];
}

/** Registers routes with Hono, whose routers match the paths; adds the choice among routes of one path, and the fallback. */
export function compile(routes: readonly ServedRoute[], options: CompileOptions): Hono {
  const { middleware, fail, maxBodyBytes, endpoints = [], planner, observe = [] } = options;
  const observation = observe[0]?.joined(observe.map((of) => of()), options.serving);
  const observed = (respond: Responder) => observation?.responder(respond, fail) ?? respond;
  // Middleware may read bodies before the route, which has its own limit, is known.
  const largest = Math.max(maxBodyBytes, ...routes.map(({ maxBodySize = 0 }) => maxBodySize));
  const environment = {
    ...options,
    notFound: (context: Context) => automatic(context),
    hasMiddleware: middleware.length > 0,
    isOnLane: middleware.every(({ isOnLane }) => isOnLane === true),
  };
  const hono = new Hono({ getPath: routingPath, ...routerFor(routes) });
  if (middleware.length > 0) {
    hono.use(
      "*",
      ...middleware.map((one, at) => guarded(one, fail, at === 0 ? largest : undefined))
        .map((one) => environment.isOnLane ? onLane(one) : one),
    );
  }
  registerEndpoints(hono, endpoints, options);
  const entries = entriesOf(routes, environment);
  const refuse = (candidates: readonly Candidate[]) =>
    observed(versionRefusal(candidates.map(({ route }) => route), fail));
  for (const { method, path, candidates } of groupsOf(entries)) {
    const handler = dispatcher(candidates, refuse);
    hono.on([method], path, planner?.withPlans(handler, candidates) ?? handler);
  }
  const versions = apiVersionsOf(routes);
  const automatic = observed(automaticResponder(finderByPath(routes), fail, versions));
  hono.notFound((context) =>
    followedBy(automatic(context), (response) => {
      // Hono sets it, and would make a copy where it has it already.
      context.res = undefined;
      context.finalized = false;
      return response;
    })
  );
  hono.onError((error, context) => fail(context, error));
  options.guard?.protectMounted(hono, options.log);
  return hono;
}

interface Entry extends Candidate {
  readonly path: string;
}

function entriesOf(
  routes: readonly ServedRoute[],
  environment: RouteEnvironment,
): readonly Entry[] {
  const paths = honoPaths(routes.map(({ pattern }) => pattern));
  return routes.map((route, index) => {
    const path = paths[index] ?? "";
    const fail = environment.failOf?.(route) ?? environment.fail;
    const respond = routeResponder(route, { ...environment, fail });
    return {
      route,
      path,
      guard: guardOf(route.pattern, path),
      respond: announced(respond, route.deprecation),
    };
  });
}

/** Above this number Hono's tree is faster than its regular expression (docs/benchmarks.md, "Growth"). */
const MANY_ROUTES = 500;

function routerFor({ length }: readonly unknown[]): { router?: TrieRouter<never> } {
  return length > MANY_ROUTES ? { router: new TrieRouter() } : {};
}

/** Finds the entries that match a path, in the given order. The router is made when it is used first. */
export function finderByPath<T extends { readonly pattern: Pattern }>(
  all: readonly T[],
): (path: string) => readonly T[] {
  let router: Router<readonly [T, Guard | undefined]> | undefined;
  return (path) => {
    if (all.length === 0) return [];
    router ??= routerOf(all);
    const result = router.match("ALL", path);
    const matched = new MatchedRequest({} as Request, path, result as never);
    return result[0].flatMap(([[one, guard]], index) => {
      matched.routeIndex = index;
      return guard === undefined || guard(matched as HonoRequest) ? [one] : [];
    });
  };
}

function routerOf<T extends { readonly pattern: Pattern }>(all: readonly T[]) {
  const router = new Hono(routerFor(all)).router as Router<unknown>;
  honoPaths(all.map(({ pattern }) => pattern)).forEach((path, index) => {
    router.add("ALL", path, [all[index], guardOf(all[index]!.pattern, path)]);
  });
  return router as Router<readonly [T, Guard | undefined]>;
}

/** The function that Hono calls: it handles instances of `Error` only. The outermost one limits bodies. */
function guarded(
  middleware: MiddlewareHandler,
  fail: FailureResponder,
  maxBytes?: number,
): MiddlewareHandler {
  return (context, next) => {
    if (maxBytes !== undefined && mayHaveBody(context.req.method)) limitBody(context, maxBytes);
    const passed = (response: Response | void) => {
      answerOf(middleware, context, response);
      return response;
    };
    const failed = async (error: unknown) => {
      if (error instanceof Error) throw error;
      const response = await fail(context, error);
      if (context.res !== response) context.res = response;
    };
    try {
      const answer = middleware(context, next);
      return isThenable(answer)
        ? answer.then((response) => passed(response), failed)
        : Promise.resolve(passed(answer));
    } catch (error) {
      return failed(error);
    }
  };
}
