import type { Context, Hono } from "hono";
import { receive, type Received, type Serving } from "../../http/mod.ts";
import {
  type Head,
  isPlainSegment,
  JSON_FIELDS,
  type Lane,
  LANE_BODY_TYPE,
  type LaneCall,
  type LaneRoute,
  NO_STORE,
  type Reply,
  responsesWith,
  type Transport,
} from "../../runtime/web.ts";
import { overlap } from "../path/hono_paths.ts";
import type { Responder } from "../answer/chain.ts";
import type { AddedFields, FieldSource } from "../types.ts";
import { fixRequestId, harmlessId, requestIdOf } from "../bind/request_id.ts";
import { RouteExchange } from "./exchange.ts";
import type { LanePlan, PlannedHandler } from "./plan.ts";

export interface LaneHooks {
  readonly serving: Serving;
  readonly fields?: FieldSource;
  isOpen(): boolean;
  acceptsHost(host: string): boolean;
  begin(isUpload: boolean): void;
  end(isUpload: boolean): void;
  /** The request needs a context, and is from now on like those of the ordinary way, unless it was answered before. */
  leaveLane(request: Request, env: unknown, isAnswered: boolean): void;
  sent(request: Request, response: Response): Response;
}

/** The lane of a Hono app, whose router it asks; without it when requests are answered elsewhere. */
export function laneOf(hono: Hono, hooks: LaneHooks): Lane {
  const { router } = hono;
  const routes = hono.routes as unknown as readonly RegisteredRoute[];
  const shared: Shared = { ...hooks, contexts: contextsOf(hono), heads: headsWith({}) };
  const isUsed = routes.some(({ handler: { plans } }) => plans !== undefined);
  return {
    isOpen: () => isUsed && hooks.isOpen(),
    acceptsHost: hooks.acceptsHost,
    match(transport, native, env, method, path) {
      const [found, stash] = router.match(method, path) as unknown as MatchResult;
      // There is more than one for a wildcard, or a handler that was added to the Hono app.
      const last = found.length - 1;
      for (let at = 0; at < last; at++) if (!found[at]![0][0].isOnLane) return undefined;
      if (last < 0) return undefined;
      const [[{ plans }], variables] = found[last]!;
      if (plans === undefined || !arePlain(variables, stash)) return undefined;
      const plan = planOf(plans, variables, stash);
      return plan && new LaneExchange(plan, shared, transport, native, env, variables, stash, path);
    },
    routes: nativeRoutes(routes, shared),
  };
}

interface Shared extends LaneHooks {
  readonly heads: ReturnType<typeof headsWith>;
  readonly contexts: ReturnType<typeof contextsOf>;
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
    const text = valueOf(name, variables, stash);
    if (text === undefined || !isPlainSegment(text)) return false;
  }
  return true;
}

function planOf(
  plans: NonNullable<PlannedHandler["plans"]>,
  variables: Variables,
  stash: readonly string[] | undefined,
): LanePlan | undefined {
  const param = (name: string) => valueOf(name, variables, stash);
  return plans.find(({ guard }) => guard?.({ path: "", param }) ?? true)?.plan;
}

function valueOf(
  name: string,
  variables: Variables,
  stash: readonly string[] | undefined,
): string | undefined {
  const at = variables[name];
  return stash === undefined || at === undefined ? at as string | undefined : stash[at as number];
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
      const plan = arePlain(variables, undefined) ? planOf(plans, variables, undefined) : undefined;
      return plan && new LaneExchange(plan, shared, transport, native, env, variables, undefined);
    };
    return [{ method, path, match }];
  });
}

/** A request on the lane: there is neither a `Request` nor a context of Hono until code asks for one. */
class LaneExchange<N> extends RouteExchange implements LaneCall {
  #context?: Context;
  #request?: Request;
  #body?: Received;
  #isCounted = false;
  #isAnswered = false;
  #isRead = false;
  #requestId?: string;

  constructor(
    override readonly plan: LanePlan,
    readonly shared: Shared,
    readonly transport: Transport<N>,
    readonly native: N,
    readonly env: unknown,
    readonly variables: Variables,
    readonly stash: readonly string[] | undefined,
    readonly given?: string,
  ) {
    super(plan);
  }

  get readsBody(): boolean {
    return this.plan.readsBody;
  }

  get maxBytes(): number {
    return this.plan.maxBodyBytes;
  }

  get madeContext(): Context | undefined {
    return this.#context;
  }

  get method(): string {
    return this.plan.method;
  }

  get path(): string {
    return this.given ?? new URL(this.target, "http://localhost").pathname;
  }

  get target(): string {
    return this.transport.target(this.native);
  }

  get requestId(): string {
    return this.#context
      ? requestIdOf(this.#context)
      : this.#requestId ??= harmlessId(this.header("x-request-id"));
  }

  param(name: string): string | undefined {
    return valueOf(name, this.variables, this.stash);
  }

  header(name: string): string | null {
    if (this.#body !== undefined && name === "content-type") return LANE_BODY_TYPE;
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
    const { shared, transport, native, plan } = this;
    const env = transport.env(native, this.env);
    const request = this.#request = transport.open(native, this.#isRead);
    shared.leaveLane(request, env, this.#isAnswered);
    this.#release();
    const context = shared.contexts(request, env, plan.notFound);
    if (this.#body !== undefined) {
      (context.req.bodyCache as { bytes?: unknown }).bytes = Promise.resolve(this.#body);
    }
    if (this.#requestId !== undefined) fixRequestId(context, this.#requestId);
    plan.guard?.moveIdentity(this, context);
    this.#context = context;
    plan.observation?.opened(context);
    return context;
  }

  override answer(): Reply {
    if (this.plan.showsRequest) void this.target; // Bun has none later on.
    return super.answer();
  }

  override afterAccess(): Reply {
    // Code that has the context may have read the body by it, or will.
    if (!this.plan.readsBody || this.#context !== undefined) return this.run();
    const { shared, transport, native } = this;
    this.#isRead = true;
    let reading: Received | Promise<Received>;
    try {
      reading = transport.read(native);
    } catch (error) {
      return this.fail(error);
    }
    if (!(reading instanceof Promise)) {
      this.#body = reading;
      return this.run();
    }
    const body = shared.serving.readInTime?.(reading) ?? reading;
    return this.later(
      body.then((bytes) => {
        this.#body = bytes;
        return this.run();
      }, () => {
        // Binders report it in their order: other parameters may be wrong, too.
        (this.context.req.bodyCache as { bytes?: unknown }).bytes = body;
        return this.run();
      }),
    );
  }

  override sendJson(text: string): Reply {
    const { plan: { status, guard, observation }, shared, transport, native } = this;
    if (this.#context !== undefined || !shared.isOpen()) return super.sendJson(text);
    this.#isAnswered = true;
    observation?.answered(this, status);
    const heads = shared.fields ? headsWith(shared.fields.of(this)) : shared.heads;
    const head = guard?.isOfUser(this) ? heads.ofUser : heads.plain;
    return transport.json(native, text, status, head);
  }

  protected send(response: Response): Reply {
    const { shared, transport, native } = this;
    void this.context;
    this.#isAnswered = true;
    this.plan.observation?.answered(this, response.status);
    return transport.send(native, shared.sent(this.#request!, response));
  }

  override later(reply: Promise<Response | undefined>): Reply {
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

/** Makes contexts as Hono does for its handlers; it does not export their class. */
function contextsOf(hono: Hono) {
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
  return (request: Request, env: unknown, notFoundHandler: Responder): Context => {
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

/** The heads of JSON: for any client, and for a user, whose answers shared caches must not store. */
function headsWith(added: AddedFields): { readonly plain: Head; readonly ofUser: Head } {
  const found = known.get(added) ?? {
    plain: headOf(JSON_FIELDS, added),
    ofUser: headOf({ ...JSON_FIELDS, ...NO_STORE }, added),
  };
  known.set(added, found);
  return found;
}

const known = new WeakMap<AddedFields, ReturnType<typeof headsWith>>();

/** Names are those of the standards, in the same letters everywhere. */
function headOf(own: Readonly<Record<string, string>>, added: AddedFields): Head {
  const all = Object.entries({ ...own, ...added }).filter(([, value]) => value !== null);
  const fields = Object.fromEntries(all) as Readonly<Record<string, string>>;
  return { make: responsesWith(fields), flat: Object.entries(fields).flat() };
}
