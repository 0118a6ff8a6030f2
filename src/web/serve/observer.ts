import type { Context } from "hono";
import { requestIdOf } from "../bind/request_id.ts";
import type { Responder } from "../answer/chain.ts";
import type { Route } from "../types.ts";

/** @internal */
export interface Interceptor {
  (respond: Responder, route?: Route): Responder;
  /** Whether it never changes responses, so that they need no further check. */
  readonly isPassive?: boolean;
  /** What it does on the lane; without it, routes are not on the lane. */
  readonly observe?: (route?: Route) => Observer;
}

export function passive(interceptor: Interceptor): Interceptor {
  return Object.assign(interceptor, { isPassive: true });
}

/** Sees the requests of a route, in the ordinary way and on the lane. */
export interface Observer {
  /** Called as soon as there is a context: on the lane there may be none. */
  opened?(context: Context): void;
  answered(request: Observed, status: number, start: number): void;
}

export interface Observed {
  readonly method: string;
  readonly path: string;
  readonly requestId: string;
  readonly error: Error | undefined;
}

export function observing(observe: (route?: Route) => Observer): Interceptor {
  const observers = new Map<Route | undefined, Observer>();
  const observerOf = (route?: Route) => {
    const observer = observers.get(route) ?? observe(route);
    observers.set(route, observer);
    return observer;
  };
  const interceptor: Interceptor = passive((respond, route) => {
    return observedBy(observerOf(route), respond);
  });
  return Object.assign(interceptor, { observe: observerOf });
}

function observedBy(observer: Observer, respond: Responder): Responder {
  return (context) => {
    observer.opened?.(context);
    const start = performance.now();
    const answered = (response: Response) => {
      observer.answered(observedIn(context), response.status, start);
      return response;
    };
    const response = respond(context);
    return "then" in response ? response.then(answered) : answered(response);
  };
}

function observedIn(context: Context): Observed {
  return {
    method: context.req.method,
    // Not the decoded path of the routing, which may hold line breaks and what terminals obey.
    get path() {
      return new URL(context.req.raw.url).pathname;
    },
    get requestId() {
      return requestIdOf(context);
    },
    error: context.error,
  };
}
