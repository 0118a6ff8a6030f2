import type { Handler } from "hono";
import { isBodiless } from "../../http/mod.ts";
import type { FailureResponder, Responder } from "../answer/chain.ts";
import type { Exchange, ExchangeParts } from "../bind/binder.ts";
import { isPlaced, PLACES } from "../bind/places.ts";
import type { Guard } from "../path/variables.ts";
import { isVersionedByHeader, type ServedRoute } from "../route/served_route.ts";
import type { LaneMiddleware, Observer } from "./observer.ts";
import type { LaneGuard } from "../types.ts";

export interface Plan {
  readonly method: string;
  readonly parts: ExchangeParts;
  readonly readsBody: boolean;
  readonly maxBytes: number;
  readonly status: number;
  readonly showsRequest: boolean; // to code of the application, which may keep it
  invoke(exchange: Exchange): unknown;
  finish(exchange: Exchange, value: unknown): Response | Promise<Response>;
  /** The last step of `finish`, for a value that was written already. */
  deliver(exchange: Exchange, value: unknown, response: Response): Response;
  readonly fail: FailureResponder;
  readonly notFound: Responder;
  readonly observers?: readonly Observer[];
  /** Of the observers, the outermost last. */
  readonly arounds?: readonly NonNullable<Observer["around"]>[];
  readonly guard?: LaneGuard;
}

export type PlannedResponder = Responder & { readonly plan?: Plan };

export type PlannedHandler = Handler & Pick<LaneMiddleware, "isOnLane"> & {
  readonly plans?: readonly { readonly guard?: Guard; readonly plan: Plan }[];
};

export function withObservers(
  inner: PlannedResponder,
  outer: Responder,
  observers: readonly (Observer | undefined)[],
): PlannedResponder {
  const { plan } = inner;
  if (plan === undefined || outer === inner) return outer;
  const known = observers.filter((observer) => observer !== undefined);
  if (known.length < observers.length) return outer;
  const arounds = known.flatMap(({ around }) => around ?? []).toReversed();
  return Object.assign(outer, { plan: { ...plan, observers: known, arounds } });
}

/** The responder with a plan, if nothing of its route has to be decided for each request. */
export function planned(
  respond: Responder,
  route: ServedRoute,
  { maxBodyBytes, fail, notFound }: Pick<Plan, "fail" | "notFound"> & {
    readonly maxBodyBytes: number;
  },
  own: Pick<Plan, "parts" | "invoke" | "finish" | "deliver" | "guard">,
  parameters: number,
): PlannedResponder {
  if (laneObstacle(route) !== undefined) return respond;
  const { binders, maxBodySize: maxBytes = maxBodyBytes, method, status = 200 } = route;
  // Not every runtime has the body of a GET: binders report that.
  const readsBody = method !== "GET" &&
    binders.some(({ input }) => PLACES[input.in].body === "whole");
  const showsRequest = parameters !== binders.filter(({ input }) => isPlaced(input)).length;
  return Object.assign(respond, {
    plan: { ...own, method, readsBody, maxBytes, status, showsRequest, fail, notFound },
  });
}

export function laneObstacle(route: ServedRoute): string | undefined {
  const { pattern, binders, consumes, produces, deprecation, middleware, status = 200 } = route;
  const binder = binders.findIndex(({ input: { in: place, type } }) => {
    const { body } = PLACES[place];
    return body === "field" || body === "whole" && typeof type === "string";
  });
  const obstacles: [isMet: boolean, obstacle: string][] = [
    [middleware.length > 0, "@Use() adds middleware"],
    [pattern.segments.some(({ kind }) => kind === "rest"), "the path matches several segments"],
    [isBodiless(status), `responses with status ${status} have no body`],
    [consumes.length + produces.length > 0, "'consumes' or 'produces' selects by media type"],
    [deprecation !== undefined, "responses announce the deprecation"],
    [binder >= 0, `parameter ${binder + 1} does not read JSON`],
    [binders.some(({ fields }) => fields !== undefined), "a parameter adds response headers"],
    [isVersionedByHeader(route), "a request header selects the version"],
  ];
  return obstacles.find(([isMet]) => isMet)?.[1];
}

export function withPlan(from: PlannedResponder, to: Responder): PlannedResponder {
  return from.plan && to !== from ? Object.assign(to, { plan: from.plan }) : to;
}

export function withPlans(
  handler: Handler,
  candidates: readonly { readonly guard?: Guard; readonly respond: Responder }[],
): PlannedHandler {
  const plans = candidates.flatMap(({ guard, respond }) => {
    const { plan } = respond as PlannedResponder;
    return plan ? [{ ...(guard && { guard }), plan }] : [];
  });
  if (plans.length < candidates.length) return handler;
  // A function of its own: Hono may have the responder for several paths.
  return Object.assign(((context, next) => handler(context, next)) as Handler, { plans });
}

/** Makes plans while routes are compiled; isolates, which do not listen, have none. */
export interface Planner {
  readonly planned: typeof planned;
  readonly withPlan: typeof withPlan;
  readonly withPlans: typeof withPlans;
  readonly withObservers: typeof withObservers;
}

// No namespace: bundlers would keep it where nothing uses it.
export const planner: Planner = { planned, withPlan, withPlans, withObservers };
