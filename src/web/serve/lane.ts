import type { Context, Hono } from "hono";
import {
  DATA,
  isPlain,
  receive,
  type Received,
  responseMaker,
  type Serving,
  toJson,
} from "../../http/mod.ts";
import {
  isPlainSegment,
  type Lane,
  type LaneCall,
  type LaneRoute,
  type Reply,
  type Transport,
} from "../../runtime/web.ts";
import { isThenable } from "../../text/mod.ts";
import { overlap } from "../path/hono_paths.ts";
import type { Responder } from "../answer/chain.ts";
import { Exchange } from "../bind/binder.ts";
import { fixRequestId, harmlessId, requestIdOf } from "../bind/request_id.ts";
import { observeAnswer, type Observed, runInside } from "./observer.ts";
import type { Plan, PlannedHandler } from "./plan.ts";
import type { LaneGuard, Subject } from "../types.ts";

export interface LaneHooks {
  readonly serving: Serving;
  isOpen(): boolean;
  acceptsHost(host: string): boolean;
  begin(isUpload: boolean): void;
  end(isUpload: boolean): void;
  /** The request needs a context, and is from now on like those of the ordinary way, unless it was answered before. */
  opened(request: Request, env: unknown, isAnswered: boolean): void;
  sent(request: Request, response: Response): Response;
}

/** The lane of a Hono app, whose router it asks; without it when requests are answered elsewhere. */
export function laneOf(hono: Hono, hooks: LaneHooks): Lane {
  const { router, routes } = hono;
  const shared: Shared = { ...hooks, contexts: contextsOf(hono) };
  return {
    isOpen: hooks.isOpen,
    acceptsHost: hooks.acceptsHost,
    match(transport, native, env, method, path) {
      const result = router.match(method, path) as unknown as MatchResult;
      const [found, stash] = result;
      // More than one: a rest, or a handler that was added to the Hono app.
      const last = found.length - 1;
      for (let at = 0; at < last; at++) if (!found[at]![0][0].isOnLane) return undefined;
      if (last < 0) return undefined;
      const [[{ plans }], variables] = found[last]!;
      if (plans === undefined || !arePlain(variables, stash)) return undefined;
      return planned(plans, new Call(shared, transport, native, env, variables, stash, path));
    },
    routes: nativeRoutes(routes as unknown as readonly RegisteredRoute[], shared),
  };
}

const jsonResponse = responseMaker(DATA.type);

interface Shared extends LaneHooks {
  readonly contexts: ContextMaker;
}

/** As Hono's routers give it: handlers with their variables, by index where there is a stash. */
type MatchResult = readonly [
  found: readonly (readonly [readonly [PlannedHandler, unknown], Variables])[],
  stash?: readonly string[],
];

type Variables = Readonly<Record<string, string | number>>;

interface RegisteredRoute {
  readonly method: string;
  readonly path: string;
  readonly handler: PlannedHandler;
}

function arePlain(variables: Variables, stash: readonly string[] | undefined): boolean {
  for (const name in variables) {
    const at = variables[name]!;
    const text = stash === undefined ? at as string : stash[at as number];
    if (text === undefined || !isPlainSegment(text)) return false;
  }
  return true;
}

function planned<N>(
  plans: NonNullable<PlannedHandler["plans"]>,
  call: Call<N>,
): Call<N> | undefined {
  for (const { guard, plan } of plans) {
    if (guard !== undefined && !guard(call)) continue;
    call.plan = plan;
    return call;
  }
  return undefined;
}

/** A runtime's own router picks one route: those that another handler may match, too, are left out. */
function nativeRoutes(routes: readonly RegisteredRoute[], shared: Shared): readonly LaneRoute[] {
  return routes.flatMap((route) => {
    const { method, path, handler: { plans } } = route;
    const isSimple = path.split("/").slice(1).every((segment) => {
      return /^:p\d+$/.test(segment) || isPlainSegment(segment);
    });
    if (plans === undefined || !isSimple) return [];
    const isAlone = routes.every((other) => {
      return other === route || other.handler.isOnLane ||
        other.method !== method && other.method !== "ALL" ||
        !overlap(path.split("/"), other.path.split("/"));
    });
    if (!isAlone) return [];
    const match: LaneRoute["match"] = (transport, native, env, variables) => {
      return arePlain(variables, undefined)
        ? planned(plans, new Call(shared, transport, native, env, variables, undefined))
        : undefined;
    };
    return [{ method, path, match }];
  });
}

/** A request on the lane: what a `Request`, Hono's context and an exchange are in the ordinary way. */
class Call<N> extends Exchange implements LaneCall, Observed {
  plan!: Plan;
  #context?: Context;
  #request?: Request;
  #body?: Received;
  #isCounted = false;
  #isOfUser = false;
  #isAnswered = false;
  #isRead = false;
  #start = 0;
  #requestId?: string;

  constructor(
    readonly shared: Shared,
    readonly transport: Transport<N>,
    readonly native: N,
    readonly env: unknown,
    readonly variables: Variables,
    readonly stash: readonly string[] | undefined,
    readonly given?: string,
  ) {
    super();
  }

  get parts(): Plan["parts"] {
    return this.plan.parts;
  }

  get readsBody(): boolean {
    return this.plan.readsBody;
  }

  get maxBytes(): number {
    return this.plan.maxBytes;
  }

  get subject(): Subject {
    return this.#context ?? this;
  }

  get path(): string {
    return this.given ?? new URL(this.target, "http://localhost").pathname;
  }

  get target(): string {
    return this.transport.target(this.native);
  }

  param(name: string): string | undefined {
    const at = this.variables[name];
    return this.stash === undefined || at === undefined
      ? at as string | undefined
      : this.stash[at as number];
  }

  header(name: string): string | null {
    if (this.#body !== undefined && name === "content-type") return "application/json";
    return this.#request
      ? this.#request.headers.get(name)
      : this.transport.header(this.native, name);
  }

  receive<T>(use: (bytes: Received) => T): T | Promise<T> {
    if (this.#body !== undefined) return use(this.#body);
    return receive(this.context.req, use, this.parts.serving);
  }

  get context(): Context {
    if (this.#context !== undefined) return this.#context;
    const { shared, transport, native } = this;
    const env = transport.env(native, this.env);
    const request = this.#request = transport.open(native, this.#isRead);
    shared.opened(request, env, this.#isAnswered);
    this.#release();
    const context = shared.contexts(request, env, this.plan.notFound);
    // Hono makes of it whatever else is asked for.
    if (this.#body !== undefined) {
      (context.req.bodyCache as { bytes?: unknown }).bytes = Promise.resolve(this.#body);
    }
    if (this.#requestId !== undefined) fixRequestId(context, this.#requestId);
    this.plan.guard?.opened(this, context);
    this.#context = context;
    for (const { opened } of this.plan.observers ?? []) opened?.(context);
    return context;
  }

  get method(): string {
    return this.plan.method;
  }

  get url(): string {
    const { target } = this;
    return target.startsWith("/") ? `http://${this.header("host")}${target}` : target;
  }

  get headers(): Headers {
    return this.context.req.raw.headers;
  }

  get requestId(): string {
    return this.#context
      ? requestIdOf(this.#context)
      : this.#requestId ??= harmlessId(this.header("x-request-id"));
  }

  get error(): Error | undefined {
    return this.#context?.error;
  }

  answer(): Reply {
    const { observers, arounds } = this.plan;
    if (this.plan.showsRequest || arounds?.length) void this.target; // Bun has none later on.
    if (observers !== undefined) this.#start = performance.now();
    if (arounds === undefined || arounds.length === 0) return this.#check();
    const check = () => this.#check();
    return arounds.reduce((inner, around) => {
      return () => runInside(around, this, inner, this.shared.serving);
    }, check)();
  }

  #check(): Reply {
    const { guard } = this.plan;
    if (guard === undefined) return this.#receive();
    let checking: void | Promise<void>;
    try {
      checking = guard.check(this);
    } catch (error) {
      return this.#fail(error);
    }
    if (!isThenable(checking)) return this.#allowed(guard);
    return this.#counted(
      checking.then(() => this.#allowed(guard), (error) => this.#fail(error)),
    );
  }

  #allowed({ userOf }: LaneGuard): Reply {
    this.#isOfUser = userOf(this) !== undefined;
    return this.#receive();
  }

  #receive(): Reply {
    // Code that has the context may have read the body by it, or will.
    if (!this.plan.readsBody || this.#context !== undefined) return this.#run();
    const { shared, transport, native } = this;
    this.#isRead = true;
    let reading: Received | Promise<Received>;
    try {
      reading = transport.read(native);
    } catch (error) {
      return this.#fail(error);
    }
    if (!(reading instanceof Promise)) {
      this.#body = reading;
      return this.#run();
    }
    const body = shared.serving.readInTime?.(reading) ?? reading;
    return this.#counted(
      body.then((bytes) => {
        this.#body = bytes;
        return this.#run();
      }, () => {
        // Binders report it in their order: other parameters may be wrong, too.
        (this.context.req.bodyCache as { bytes?: unknown }).bytes = body;
        return this.#run();
      }),
    );
  }

  #run(): Reply {
    let value: unknown;
    let isLater: boolean;
    try {
      value = this.plan.invoke(this);
      isLater = isThenable(value); // A getter may throw.
    } catch (error) {
      return this.#fail(error);
    }
    if (!isLater) return this.#done(value);
    return this.#counted(
      Promise.resolve(value).then((value) => this.#done(value), (error) => this.#fail(error)),
    );
  }

  #done(value: unknown): Reply {
    let text: string | undefined;
    try {
      // All else may need headers that were prepared, a stream or a negotiation.
      const isJson = typeof value === "object" && value !== null && this.#context === undefined &&
        isPlain(value) && this.shared.isOpen();
      if (isJson) text = toJson(value);
    } catch (error) {
      return this.#fail(error);
    }
    if (text === undefined) return this.#send(this.plan.finish(this, value));
    const { plan } = this;
    // A getter or `toJSON` may have asked for the request.
    if (this.#context !== undefined) {
      return this.#send(plan.deliver(this, value, jsonResponse(text, plan.status)));
    }
    this.#isAnswered = true;
    this.#observed(plan.status);
    return this.transport.json(this.native, text, plan.status, this.#isOfUser);
  }

  #fail(error: unknown): Reply {
    return this.#send(this.plan.fail(this.context, error));
  }

  #send(response: Response | Promise<Response>): Reply {
    const send = (response: Response) => {
      const { shared, transport, native, plan: { guard } } = this;
      const sent = guard && this.#isOfUser ? guard.withNoStore(this.context, response) : response;
      this.#isAnswered = true;
      this.#observed(sent.status);
      return transport.send(native, shared.sent(this.#request!, sent));
    };
    return response instanceof Promise ? this.#counted(response.then(send)) : send(response);
  }

  #observed(status: number): void {
    for (const observer of this.plan.observers ?? []) {
      observeAnswer(observer, this, status, this.#start, this.shared.serving);
    }
  }

  #counted(reply: Promise<Response | undefined>): Promise<Response | undefined> {
    // A request with a context is counted as such.
    if (this.#isCounted || this.#context !== undefined) return reply;
    this.#isCounted = true;
    this.shared.begin(this.readsBody);
    return reply.finally(() => this.#release());
  }

  #release(): void {
    if (!this.#isCounted) return;
    this.#isCounted = false;
    this.shared.end(this.readsBody);
  }
}

type ContextMaker = (
  request: Request,
  env: unknown,
  notFound: Responder,
) => Context;

/** Makes contexts as Hono does for its handlers; it does not export their class. */
function contextsOf(hono: Hono): ContextMaker {
  let made: (new (request: Request, options: object) => Context) | undefined;
  const find = () => {
    const probe = new (hono.constructor as new () => Hono)();
    probe.all("*", (context) => {
      made = context.constructor as typeof made;
      return new Response(null);
    });
    void probe.fetch(new Request("http://localhost/"));
    return made!;
  };
  return (request, env, notFoundHandler) => {
    const type = made ?? find();
    const { method } = request;
    const path = hono.getPath(request);
    const matchResult = hono.router.match(method, path);
    const context = new type(request, { path, matchResult, env, notFoundHandler });
    // Middleware that the lane leaves out comes before the handler.
    context.req.routeIndex = matchResult[0].length - 1;
    return context;
  };
}
