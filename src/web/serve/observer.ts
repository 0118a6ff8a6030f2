import type { Context, MiddlewareHandler } from "hono";
import type { HttpRequest, Serving } from "../../http/mod.ts";
import { requestIdOf } from "../bind/request_id.ts";
import type { Responder } from "../answer/chain.ts";
import type { Route } from "../types.ts";

/** Middleware that the lane need not run, as an interceptor of the same extension does its work there. */
export type LaneMiddleware = MiddlewareHandler & { readonly isOnLane?: true };

export function onLane(middleware: MiddlewareHandler): LaneMiddleware {
  return Object.assign(middleware, { isOnLane: true as const });
}

/** @internal */
export interface Interceptor {
  (respond: Responder, route: Route | undefined, serving: Serving | undefined): Responder;
  /** Whether it never changes responses, so that they need no further check. */
  readonly isPassive?: boolean;
  /** What it does on the lane; without it, routes are not on the lane. */
  readonly observe?: (route?: Route) => Observer;
}

export function passive(interceptor: Interceptor): Interceptor {
  return Object.assign(interceptor, { isPassive: true });
}

/** Sees the requests of a route, in the ordinary way and on the lane. What it throws is logged and changes no response. */
export interface Observer {
  /** Called as soon as there is a context: on the lane there may be none. */
  opened?(context: Context): void;
  around?<R>(request: Observed, run: () => R): R;
  answered?(request: Observed, status: number, start: number): void;
}

export interface Observed {
  readonly method: string;
  readonly url: string;
  readonly path: string;
  readonly headers: Headers;
  readonly requestId: string;
  readonly error: Error | undefined;
  readonly request?: HttpRequest;
  header(name: string): string | null;
}

export function observing(observe: (route?: Route) => Observer): Interceptor {
  const observers = new Map<Route | undefined, Observer>();
  const observerOf = (route?: Route) => {
    const observer = observers.get(route) ?? observe(route);
    observers.set(route, observer);
    return observer;
  };
  const interceptor: Interceptor = passive((respond, route, serving) => {
    return observedBy(observerOf(route), respond, serving);
  });
  return Object.assign(interceptor, { observe: observerOf });
}

function observedBy(
  observer: Observer,
  respond: Responder,
  serving: Serving | undefined,
): Responder {
  return (context) => {
    observer.opened?.(context);
    const start = performance.now();
    const request = observedIn(context);
    const answered = (response: Response) => {
      observeAnswer(observer, request, response.status, start, serving);
      return response;
    };
    const run = () => {
      const response = respond(context);
      return "then" in response ? response.then(answered) : answered(response);
    };
    return observer.around ? runInside(observer.around, request, run, serving) : run();
  };
}

/** Tells an observer of the response. */
export function observeAnswer(
  observer: Observer,
  request: Observed,
  status: number,
  start: number,
  serving: Serving | undefined,
): void {
  try {
    observer.answered?.(request, status, start);
  } catch (error) {
    serving?.log?.(CANNOT_OBSERVE, error);
  }
}

/** Runs inside an observer or, where that fails before, without it. */
export function runInside<R>(
  around: NonNullable<Observer["around"]>,
  request: Observed,
  run: () => R,
  serving: Serving | undefined,
): R {
  let next: (() => R) | undefined = run;
  const once = () => {
    next = undefined;
    const result = run();
    next = () => result;
    return result;
  };
  const goOn = (error: unknown) => {
    if (next === undefined) throw error; // It is not the observer's own.
    serving?.log?.(CANNOT_OBSERVE, error);
    return next();
  };
  try {
    const result = around(request, once);
    return result instanceof Promise ? result.catch(goOn) as R : result;
  } catch (error) {
    return goOn(error);
  }
}

const CANNOT_OBSERVE = "Cannot observe a request";

function observedIn(context: Context): Observed {
  return {
    method: context.req.method,
    // Not the decoded path of the routing, which may hold line breaks and what terminals obey.
    get path() {
      return new URL(context.req.raw.url).pathname;
    },
    get url() {
      return context.req.url;
    },
    get headers() {
      return context.req.raw.headers;
    },
    get requestId() {
      return requestIdOf(context);
    },
    get error() {
      return context.error;
    },
    header: (name) => context.req.raw.headers.get(name),
  };
}
