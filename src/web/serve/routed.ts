import type { Context } from "hono";
import { receive, type Received } from "../../http/mod.ts";
import { directTarget, type Reply } from "../../runtime/web.ts";
import { followedBy } from "../../text/mod.ts";
import { chain, type Responder } from "../answer/chain.ts";
import { limitBody } from "../bind/body_limit.ts";
import { requestIdOf } from "../bind/request_id.ts";
import { type Plan, RouteExchange } from "./exchange.ts";

export function responderOf(plan: Plan): Responder {
  return (context) => new ContextExchange(plan, context).respond();
}

class ContextExchange extends RouteExchange {
  /** Whether `@Use()` gets the response first. */
  #isInside = false;

  constructor(plan: Plan, override readonly context: Context) {
    super(plan);
  }

  get madeContext(): Context {
    return this.context;
  }

  get method(): string {
    return this.context.req.method;
  }

  get path(): string {
    return this.context.req.path;
  }

  get routePath(): string {
    return this.context.req.routePath;
  }

  get target(): string {
    const { raw } = this.context.req;
    return directTarget(raw) ?? raw.url;
  }

  get requestId(): string {
    return requestIdOf(this.context);
  }

  param(name: string): string | undefined {
    return this.context.req.param(name);
  }

  header(name: string): string | null {
    return this.context.req.raw.headers.get(name);
  }

  receive<T>(use: (bytes: Received) => T): T | Promise<T> {
    return receive(this.context.req, use, this.parts.serving);
  }

  respond(): Response | Promise<Response> {
    this.plan.observation?.opened(this.context);
    return this.answer() as Response | Promise<Response>;
  }

  protected override begin(): Reply {
    const { context, plan: { maxBytes, uses, fail } } = this;
    if (maxBytes !== undefined) limitBody(context, maxBytes);
    if (uses.length === 0) return super.begin();
    this.#isInside = true;
    const answer = chain(uses, () => super.begin() as Response, fail);
    return followedBy(answer(context), (response) => this.#sent(response));
  }

  /** Again, as middleware may have put a request with another body in its place. */
  override afterAccess(): Reply {
    const { context, plan: { maxBytes } } = this;
    const refusal = maxBytes !== undefined && limitBody(context, maxBytes);
    return refusal ? this.fail(refusal) : this.run();
  }

  protected send(response: Response): Reply {
    return this.#isInside ? response : this.#sent(response);
  }

  #sent(response: Response): Response {
    this.plan.observation?.answered(this, response.status);
    return response;
  }
}
