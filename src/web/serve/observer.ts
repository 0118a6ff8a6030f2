import type { Context } from "hono";
import type { HttpRequest, Serving } from "../../http/mod.ts";
import type { Route } from "../types.ts";

/** @internal Sees the requests of a route, or of none. What it throws is logged and changes no response. */
export interface Observer {
  /** Called as soon as there is a context: there may be none. */
  opened?(context: Context): void;
  around?<R>(request: Observed, run: () => R): R;
  answered?(request: Observed, status: number, start: number): void;
}

export interface Observed {
  readonly method: string;
  /** The URL, or its path and query, as it was sent. */
  readonly target: string;
  readonly requestId: string;
  readonly request: HttpRequest;
  /** Hono's context, which is made where it is asked for. */
  readonly context: Context;
  readonly opened: Context | undefined;
  /** When it came, by `performance.now()`. */
  start: number;
  header(name: string): string | null;
}

export function urlOf({ target, header }: Pick<Observed, "target" | "header">): string {
  return target.startsWith("/") ? `http://${header("host")}${target}` : target;
}

/** Not the decoded path of the routing, which may hold line breaks and what terminals obey. */
export function sentPathOf({ target }: Pick<Observed, "target">): string {
  const start = target.startsWith("/") ? 0 : target.indexOf("/", target.indexOf(":") + 3);
  return /^[^?#]*/.exec(target.slice(start))![0];
}

/** @internal By {@linkcode observing}, so that a bundle without observers has no code for them. */
export interface Observe {
  (route?: Route): Observer;
  joined(observers: readonly Observer[], serving: Serving | undefined): Observation;
}

/** All observers of a route, as steps of its exchanges: what they throw is logged. */
export interface Observation {
  begin<R>(request: Observed, run: () => R): R;
  opened(context: Context): void;
  answered(request: Observed, status: number): void;
}

export function observing(observe: (route?: Route) => Observer): Observe {
  return Object.assign((route?: Route) => observe(route), { joined });
}

const joined: Observe["joined"] = (observers, serving) => {
  const arounds = observers.flatMap(({ around }) => around ?? []).toReversed();
  return {
    begin(request, run) {
      request.start = performance.now();
      return arounds.reduce((inner, around) => {
        return () => runInside(around, request, inner, serving);
      }, run)();
    },
    opened: (context) => observers.forEach((observer) => observer.opened?.(context)),
    answered(request, status) {
      for (const observer of observers) {
        try {
          observer.answered?.(request, status, request.start);
        } catch (error) {
          serving?.log?.(CANNOT_OBSERVE, error);
        }
      }
    },
  };
};

/** Runs inside an observer or, where that fails before, without it. */
function runInside<R>(
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
