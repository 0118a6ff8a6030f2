import type { Handler, MiddlewareHandler } from "hono";
import { isBodiless, isPlain, toJson } from "../../http/mod.ts";
import { committedText, type Responder } from "../answer/chain.ts";
import { isPlaced, PLACES } from "../bind/places.ts";
import type { Guard } from "../path/variables.ts";
import { isVersionedByHeader, passOn, type ServedRoute } from "../route/served_route.ts";
import type { Plan } from "./exchange.ts";

export interface LanePlan extends Plan {
  readonly method: string;
  readonly readsBody: boolean;
  readonly maxBodyBytes: number;
  /** To code of the application, which may keep it. */
  readonly showsRequest: boolean;
  readonly notFound: Responder;
}

export type PlannedResponder = Responder & { readonly plan?: LanePlan };

export type PlannedHandler = Handler & Pick<LaneMiddleware, "isOnLane"> & {
  readonly plans?: readonly { readonly guard?: Guard; readonly plan: LanePlan }[];
};

/** The plan for the lane, if nothing of its route has to be decided for each request. */
function lanePlan(
  plan: Plan,
  route: ServedRoute,
  { maxBodyBytes, notFound }: Pick<LanePlan, "maxBodyBytes" | "notFound">,
  parameters: number,
): LanePlan | undefined {
  if (laneObstacle(route) !== undefined) return undefined;
  const { binders, method } = route;
  // Not every runtime has the body of a GET: binders report that.
  const readsBody = method !== "GET" &&
    binders.some(({ input }) => PLACES[input.in].body === "whole");
  const showsRequest = plan.observation !== undefined ||
    parameters !== binders.filter(({ input }) => isPlaced(input)).length;
  return { ...plan, isShared: false, method, readsBody, maxBodyBytes, showsRequest, notFound };
}

export function laneObstacle(route: ServedRoute): string | undefined {
  const { pattern, binders, consumes, produces, deprecation, middleware, status = 200 } = route;
  const binder = binders.findIndex(({ input: { in: place, type } }) => {
    const { body } = PLACES[place];
    return body === "field" || body === "whole" && typeof type === "string";
  });
  const obstacles: [isMet: boolean, obstacle: string][] = [
    [
      middleware.length > 0,
      `${middleware[0] === passOn ? "security()" : "@Use()"} adds middleware`,
    ],
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

function withPlans(
  handler: Handler,
  candidates: readonly { readonly guard?: Guard; readonly respond: PlannedResponder }[],
): PlannedHandler {
  const plans = candidates.flatMap(({ guard, respond: { plan } }) => {
    return plan ? [{ ...(guard && { guard }), plan }] : [];
  });
  if (plans.length < candidates.length) return handler;
  // A function of its own: Hono may have the responder for several paths.
  return Object.assign(((context, next) => handler(context, next)) as Handler, { plans });
}

/** Middleware that the lane need not run, as an observer of the same extension does its work there. */
export type LaneMiddleware = MiddlewareHandler & { readonly isOnLane?: true };

export function onLane(middleware: MiddlewareHandler): LaneMiddleware {
  return Object.assign(middleware, { isOnLane: true as const });
}

/** Most handlers return values that are known to be JSON without a look at all kinds of values. */
const json: NonNullable<Plan["json"]> = {
  takes: (value) => typeof value === "object" && value !== null && isPlain(value),
  write(exchange, value) {
    const text = toJson(value);
    // A getter or `toJSON` may have asked for the request.
    if (!exchange.isChanged) return exchange.sendJson(text);
    return exchange.finish(committedText(exchange.context, text, exchange.plan.status));
  },
};

/** Makes plans for the lane while routes are compiled; isolates, which do not listen, have none. */
export interface Planner {
  readonly json: typeof json;
  readonly lanePlan: typeof lanePlan;
  readonly withPlans: typeof withPlans;
}

// No namespace: bundlers would keep it where nothing uses it.
export const planner: Planner = { json, lanePlan, withPlans };
