import type { Context } from "hono";
import { answerer } from "./answer.ts";
import { markFixed, type Serving } from "../http/mod.ts";
import type { BindingSite } from "./binder.ts";
import { limitBody } from "./body_limit.ts";
import { chain, type FailureResponder, type Responder } from "./chain.ts";
import { MappingError } from "./errors.ts";
import { Exchange } from "./exchange.ts";
import { type Handler, invoker } from "./invoke.ts";
import { namesOf } from "./pattern.ts";
import { commit } from "./prepared_headers.ts";
import { labelOf } from "./route_table.ts";
import { isStreaming } from "./streaming.ts";
import { isThenable } from "./thenable.ts";
import type { Route } from "./types.ts";
import { variableReaders } from "./variables.ts";

/** What all routes of an application share. */
export interface RouteEnvironment {
  /** The controller of a route. */
  readonly beanOf: (route: Route) => object;
  readonly fail: FailureResponder;
  readonly maxBodyBytes: number;
  /** Whether middleware of the application may have prepared headers. */
  readonly hasMiddleware: boolean;
  readonly serving?: Serving;
  /** Whether something may stand around the answer and change it. */
  readonly isObserved?: boolean;
}

/**
 * Prepares, once, everything that answering a request of `route` takes: size limit, middleware, binding, call
 * and response. The result answers synchronously when nothing in it is asynchronous.
 *
 * @throws {MappingError} when a binder asks for what the route does not have
 */
export function routeResponder(route: Route, environment: RouteEnvironment): Responder {
  const { fail, maxBodyBytes } = environment;
  const respond = chain(route.middleware, handlerResponder(route, environment), fail);
  if (route.method === "GET") return respond;
  return (context) => {
    try {
      limitBody(context, maxBodyBytes);
    } catch (error) {
      return fail(context, error);
    }
    return respond(context);
  };
}

function handlerResponder(route: Route, environment: RouteEnvironment): Responder {
  const { fail, serving } = environment;
  const variables = variableReaders(route.pattern);
  const bean = environment.beanOf(route);
  const handler = methodOf(bean, route);
  const site = siteOf(route, variables);
  const binds = route.binders.map((binder) => binder.compile(site));
  const invoke = invoker(bean, handler, binds);
  const answer = answerer(route);
  const seesContext = environment.hasMiddleware || handler.length > binds.length ||
    route.binders.some(({ input }) => input.in === "custom");

  // Otherwise somebody else may add fields to the response.
  const isOurs = !environment.isObserved && !seesContext && route.middleware.length === 0;

  const finish = (context: Context, value: unknown): Response | Promise<Response> => {
    try {
      const response = answer(context, value);
      if (!isStreaming(value)) markFixed(response, isOurs);
      return seesContext ? commit(context, response) : response;
    } catch (error) {
      return fail(context, error);
    }
  };
  return (context) => {
    try {
      const value = invoke(new Exchange(context, variables, serving));
      if (!isThenable(value)) return finish(context, value);
      return Promise.resolve(value).then(
        (value) => finish(context, value),
        (error) => fail(context, error),
      );
    } catch (error) {
      return fail(context, error);
    }
  };
}

/** By descriptor: reading `bean[name]` would run getters. */
function methodOf(bean: object, route: Route): Handler {
  let owner: object | null = bean;
  while (owner !== null) {
    const value = Object.getOwnPropertyDescriptor(owner, route.handler)?.value;
    if (typeof value === "function") return value;
    owner = Object.getPrototypeOf(owner);
  }
  throw new MappingError(`Cannot map '${labelOf(route)}': there is no such method`);
}

function siteOf(route: Route, readers: ReturnType<typeof variableReaders>): BindingSite {
  const { segments } = route.pattern;
  return {
    variable(name, of) {
      const [start, end] = of === "class" ? [0, route.prefixSegments] : [route.prefixSegments];
      const reader = readers.get(name);
      if (reader && segments.slice(start, end).flatMap(namesOf).includes(name)) return reader;
      const place = of === "class" ? "the prefix of its class" : "the path of its mapping";
      throw new MappingError(
        `Cannot bind the path variable '${name}' of '${
          labelOf(route)
        }': ${place} has none of that name`,
        [labelOf(route)],
      );
    },
  };
}
