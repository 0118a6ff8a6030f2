import type { Context } from "hono";
import { HttpRequest, type Serving } from "../../http/mod.ts";
import { servedRoute } from "../route/served_route.ts";
import type { Route } from "../types.ts";
import { variableReaders } from "../path/variables.ts";

/**
 * Makes a request of Hono's context, as handlers see it; with a route, it has the variables of its path.
 *
 * @internal
 */
export type RequestMaker = (context: Context, route?: Route) => HttpRequest;

/** @param serving the server, where there is one */
export function requestMaker(serving: Serving): RequestMaker {
  return (context, route) => {
    const variables = route && variableReaders(servedRoute(route).pattern);
    return new HttpRequest(
      context,
      variables && ((name) => {
        return variables.get(name)?.(context.req);
      }),
      serving,
    );
  };
}
