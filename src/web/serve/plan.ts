import type { Handler } from "hono";
import type { FailureResponder, Responder } from "../answer/chain.ts";
import type { Exchange, ExchangeParts } from "../bind/binder.ts";
import type { Guard } from "../path/variables.ts";

/** What the lane needs to answer requests of a route. */
export interface Plan {
  readonly parts: ExchangeParts;
  readonly readsBody: boolean;
  readonly maxBytes: number;
  /** Of a response that is JSON. */
  readonly status: number;
  invoke(exchange: Exchange): unknown;
  /** Responds to any return value. */
  finish(exchange: Exchange, value: unknown): Response | Promise<Response>;
  readonly fail: FailureResponder;
  readonly notFound: Responder;
}

/** A responder of a route that needs no middleware, no user and no negotiation. */
export type PlannedResponder = Responder & { readonly plan?: Plan };

/** A handler of Hono, and how the lane answers in its place. */
export type PlannedHandler = Handler & {
  readonly plans?: readonly { readonly guard?: Guard; readonly plan: Plan }[];
};
