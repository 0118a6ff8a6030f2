import type { Context, MiddlewareHandler } from "hono";
import {
  DATA,
  type HttpRequest,
  isStreaming,
  markFixed,
  responseMaker,
  type Serving,
} from "../../http/mod.ts";
import type { Reply } from "../../runtime/web.ts";
import { isThenable } from "../../text/mod.ts";
import { type Answerer, commit, type FailureResponder, type Responder } from "../answer/chain.ts";
import { type AnswerFields, Exchange, type ExchangeParts } from "../bind/binder.ts";
import type { Decisions, Route, Subject } from "../types.ts";

const jsonResponse = responseMaker(DATA.type);

export interface Observed {
  readonly method: string;
  /** The URL, or its path and query, as it was sent. */
  readonly target: string;
  readonly requestId: string;
  readonly request: HttpRequest;
  readonly context: Context;
  readonly madeContext: Context | undefined;
  start: number;
  header(name: string): string | null;
}

/** @internal Sees the requests of a route, or of none. What it throws is logged and changes no response. */
export interface Observer {
  /** Called as soon as there is a context: there may be none. */
  opened?(context: Context): void;
  around?<R>(request: Observed, run: () => R): R;
  answered?(request: Observed, status: number, start: number): void;
}

/** @internal By `observing()`, so that a bundle without observers has no code for them. */
export interface Observe {
  (route?: Route): Observer;
  joined(observers: readonly Observer[], serving?: Serving): Observation;
}

/** All observers of a route, as steps of its exchanges: what they throw is logged. */
export interface Observation {
  begin<R>(request: Observed, run: () => R): R;
  responder(respond: Responder, fail: FailureResponder): Responder;
  opened(context: Context): void;
  answered(request: Observed, status: number): void;
}

export interface RouteGuard extends Pick<Decisions, "hasSeenContext" | "moveIdentity"> {
  pass(exchange: RouteExchange): Reply;
  isOfUser(exchange: RouteExchange): boolean;
  /** Says of a response for one user that shared caches must not store it. */
  marked(exchange: RouteExchange, response: Response): Response;
}

export interface Plan {
  readonly parts: ExchangeParts;
  readonly observation?: Observation;
  readonly maxBytes?: number;
  readonly uses: readonly MiddlewareHandler[];
  /** Whether that, or middleware of the application, is around the handler. */
  readonly isShared: boolean;
  readonly guard?: RouteGuard;
  invoke(exchange: Exchange): unknown;
  /** A shorter way for objects, which become JSON whatever the request accepts. */
  readonly json?: {
    takes(value: unknown): boolean;
    write(exchange: RouteExchange, value: unknown): Reply;
  };
  readonly status: number;
  readonly answer: Answerer;
  readonly fields?: ReturnType<AnswerFields["collected"]>;
  readonly fail: FailureResponder;
}

/**
 * A request that a route answers. Each step calls the next: `answer()` (observers), `begin()` (middleware, check of
 * access), `afterAccess()` (body), `run()` (binders, handler), `finish()`. Subclasses read the request and send the answer.
 */
export abstract class RouteExchange extends Exchange implements Observed {
  start = 0;

  constructor(readonly plan: Plan) {
    super();
  }

  abstract readonly method: string;
  abstract readonly requestId: string;
  abstract readonly madeContext: Context | undefined;
  protected abstract send(response: Response): Reply;

  get parts(): Plan["parts"] {
    return this.plan.parts;
  }

  get subject(): Subject {
    return this.madeContext ?? this;
  }

  answer(): Reply {
    const { observation } = this.plan;
    return observation ? observation.begin(this, () => this.begin()) : this.begin();
  }

  protected begin(): Reply {
    return this.plan.guard ? this.plan.guard.pass(this) : this.afterAccess();
  }

  afterAccess(): Reply {
    return this.run();
  }

  protected run(): Reply {
    let value: unknown;
    let isLater: boolean;
    try {
      value = this.plan.invoke(this);
      isLater = isThenable(value); // A getter may throw.
    } catch (error) {
      return this.fail(error);
    }
    if (!isLater) return this.#done(value);
    return this.later(
      Promise.resolve(value).then((value) => this.#done(value), (error) => this.fail(error)),
    );
  }

  #done(value: unknown): Reply {
    const { json, answer } = this.plan;
    try {
      if (json?.takes(value)) return json.write(this, value);
      const response = answer(this.context, value);
      if (!(response instanceof Promise)) return this.#deliver(value, response);
      return this.later(
        response.then((response) => this.#deliver(value, response))
          .catch((error) => this.fail(error)),
      );
    } catch (error) {
      return this.fail(error);
    }
  }

  /** Whether other code has a part in the header fields of the response. */
  get isChanged(): boolean {
    return this.plan.isShared || this.isContextSeen ||
      this.plan.guard?.hasSeenContext(this) === true;
  }

  #deliver(value: unknown, answered: Response): Reply {
    const response = this.plan.fields?.addedTo(answered, this) ?? answered;
    const { isChanged } = this;
    if (!isStreaming(value)) markFixed(response, !isChanged);
    return this.finish(isChanged ? commit(this.context, response) : response);
  }

  later(reply: Promise<Response | undefined>): Reply {
    return reply;
  }

  fail(error: unknown): Reply {
    const response = this.plan.fail(this.context, error);
    return response instanceof Promise
      ? this.later(response.then((response) => this.#failed(response)))
      : this.#failed(response);
  }

  /** Replaces what middleware has set before the handler, as Hono does. */
  #failed(response: Response): Reply {
    const { context } = this;
    if (context.finalized && context.res !== response) context.res = response;
    return this.finish(context.finalized ? context.res : response);
  }

  /** Sends JSON in whose header fields no other code has a part. */
  sendJson(text: string): Reply {
    return this.finish(markFixed(jsonResponse(text, this.plan.status), true));
  }

  finish(response: Response): Reply {
    return this.send(this.plan.guard?.marked(this, response) ?? response);
  }
}
