import type { Handler } from "hono";
import type { FailureResponder, Responder } from "../answer/chain.ts";
import type { Exchange, ExchangeParts } from "../bind/binder.ts";
import type { Guard } from "../path/variables.ts";
import type { Observer } from "./observer.ts";

/** What the lane needs to answer requests of a route. */
export interface Plan {
  readonly method: string;
  readonly parts: ExchangeParts;
  readonly readsBody: boolean;
  readonly maxBytes: number;
  readonly status: number;
  invoke(exchange: Exchange): unknown;
  finish(exchange: Exchange, value: unknown): Response | Promise<Response>;
  readonly fail: FailureResponder;
  readonly notFound: Responder;
  readonly observers?: readonly Observer[];
}

/** A responder of a route that needs no middleware, no user and no negotiation. */
export type PlannedResponder = Responder & { readonly plan?: Plan };

export type PlannedHandler = Handler & {
  readonly plans?: readonly { readonly guard?: Guard; readonly plan: Plan }[];
};

/** A responder with the plan of the one that it wraps, where all that wraps it is observers. */
export function withObservers(
  inner: PlannedResponder,
  outer: Responder,
  observers: readonly (Observer | undefined)[],
): PlannedResponder {
  const { plan } = inner;
  if (plan === undefined || outer === inner) return outer;
  const known = observers.filter((observer) => observer !== undefined);
  return known.length < observers.length
    ? outer
    : Object.assign(outer, { plan: { ...plan, observers: known } });
}
