import type { Serving } from "../../http/mod.ts";
import type { Observation, Observe, Observed, Observer } from "./exchange.ts";
import { responderOf } from "./routed.ts";
import type { Route } from "../types.ts";

export function urlOf(request: Pick<Observed, "target" | "header">): string {
  const { target } = request;
  return target.startsWith("/") ? `http://${request.header("host")}${target}` : target;
}

/** Not the decoded path of the routing, which may hold line breaks and what terminals obey. */
export function sentPathOf({ target }: Pick<Observed, "target">): string {
  const start = target.startsWith("/") ? 0 : target.indexOf("/", target.indexOf(":") + 3);
  return /^[^?#]*/.exec(target.slice(start))![0];
}

export function observing(observe: (route?: Route) => Observer): Observe {
  return Object.assign((route?: Route) => observe(route), { joined });
}

const joined: Observe["joined"] = (observers, serving) => {
  const arounds = observers.flatMap(({ around }) => around ?? []).toReversed();
  const observation: Observation = {
    responder: (respond, fail) =>
      responderOf({
        parts: { variables: new Map(), maxFormFields: 0, ...(serving && { serving }) },
        observation,
        uses: [],
        isShared: false,
        invoke: ({ context }) => respond(context),
        status: 200,
        answer: (_, response) => response as Response,
        fail,
      }),
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
  return observation;
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
