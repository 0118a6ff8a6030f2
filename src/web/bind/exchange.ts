import type { Context } from "hono";
import type { VariableReader } from "../types.ts";
import { HttpRequest, type Serving } from "../../http/mod.ts";
import { directTarget } from "../../runtime/mod.ts";
import { parseQuery, type Query } from "./query.ts";

/** One request on its way through the binders of its handler. */
export class Exchange {
  #request?: HttpRequest;
  #query?: Query;

  constructor(
    readonly context: Context,
    /** The variables of the route's path. */
    readonly variables: ReadonlyMap<string, VariableReader>,
    /** How many fields or parts a form may have. */
    readonly maxFormFields: number,
    /** The server, where there is one. */
    readonly serving?: Serving,
  ) {}

  /** The request as handlers see it. */
  get request(): HttpRequest {
    return this.#request ??= new HttpRequest(this.context, (name) => {
      return this.variables.get(name)?.(this.context.req);
    }, this.serving);
  }

  /** Whether the handler, or a binder, was given Hono's context, and may have prepared headers there. */
  get isContextSeen(): boolean {
    return this.#request?.isContextSeen === true;
  }

  /** The query, taken apart at most once. */
  get query(): Query {
    return this.#query ??= parseQuery(
      directTarget(this.context.req.raw) ?? this.context.req.raw.url,
    );
  }
}
