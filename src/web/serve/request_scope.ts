import type { Context } from "hono";
import { HttpRequest, originalOf, type Serving } from "../../http/mod.ts";
import { type AsyncStorage, asyncStorage } from "../../runtime/web.ts";
import { variableReaders } from "../path/variables.ts";
import { servedRoute } from "../route/served_route.ts";
import type { Route } from "../types.ts";

/** @internal */
export type LogFields = Readonly<Record<string, unknown>>;

interface RequestScope {
  readonly answered?: AnsweredRequest;
  readonly fields?: LogFields;
}

export class AnsweredRequest {
  fields: LogFields = {};
  #request?: HttpRequest;
  #make: () => HttpRequest;

  constructor(readonly requestId: () => string, make: () => HttpRequest) {
    this.#make = make;
  }

  get request(): HttpRequest {
    return this.#request ??= this.#make();
  }

  make(make: () => HttpRequest): void {
    this.#make = make;
    this.#request = undefined;
  }
}

let scopes: AsyncStorage<RequestScope> | undefined;
const byRequest = new WeakMap<Request, RequestScope>();

/** Scopes cost nothing until this is called. @throws {Error} where the runtime has no `AsyncLocalStorage` */
export function keepScopes(): void {
  scopes ??= asyncStorage();
  if (scopes !== undefined) return;
  throw new Error(
    "Cannot provide a request context: the runtime has no AsyncLocalStorage; on Cloudflare Workers set the " +
      "compatibility flag 'nodejs_compat', elsewhere leave out requestContext()",
  );
}

export function areScopesKept(): boolean {
  return scopes !== undefined;
}

export function keepScopeOf(request: Request): void {
  const answered = currentScope()?.answered;
  if (answered) byRequest.set(originalOf(request), { answered });
}

export function inScope<R>(scope: RequestScope, action: () => R): R {
  return scopes ? scopes.run(scope, action) : action();
}

/** Runs an action in the scope of a request, even after that has ended. */
export function inScopeOf<R>(request: Request, action: () => R): R {
  const scope = scopes && byRequest.get(originalOf(request));
  return scope ? inScope(scope, action) : action();
}

export function currentScope(): RequestScope | undefined {
  return scopes?.getStore();
}

export function currentFields(): LogFields | undefined {
  const scope = currentScope();
  if (scope === undefined) return undefined;
  const { answered, fields } = scope;
  return {
    ...answered?.fields,
    ...fields,
    // Last, so that no fact overrides the id of the request.
    ...(answered && { requestId: answered.requestId() }),
  };
}

/** @internal */
export type RequestMaker = (context: Context, route?: Route) => HttpRequest;

export function requestMaker(serving?: Serving): RequestMaker {
  return (context, route) => {
    const variables = route && variableReaders(servedRoute(route).pattern);
    return new HttpRequest(
      context,
      variables && ((name) => variables.get(name)?.(context.req)),
      serving,
    );
  };
}
