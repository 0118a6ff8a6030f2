import type { Beans } from "../../container/mod.ts";
import { isStreaming, markFixed, type Serving } from "../../http/mod.ts";
import { isThenable } from "../../text/mod.ts";
import { answerer, chain, commit, type FailureResponder, type Responder } from "../answer/chain.ts";
import { type BindingSite, type Exchange, RoutedExchange } from "../bind/binder.ts";
import { limitBody, refuseBody } from "../bind/body_limit.ts";
import { invoker, methodOf } from "../bind/invoke.ts";
import { MappingError } from "../errors.ts";
import { namesOf } from "../path/pattern.ts";
import { variableReaders } from "../path/variables.ts";
import { checked } from "../answer/returns.ts";
import { labelOf, type ServedRoute } from "../route/served_route.ts";
import type { Guard, RouteGuard } from "./guarded.ts";
import type { Plan, Planner } from "./plan.ts";
import type { FailureLog } from "../types.ts";

export interface RouteEnvironment {
  readonly notFound: Responder;
  readonly beanOf: (route: ServedRoute) => object;
  readonly beans: Beans;
  readonly fail: FailureResponder;
  readonly failOf?: (route: ServedRoute) => FailureResponder;
  readonly maxBodyBytes: number;
  readonly maxFormFields: number;
  readonly hasMiddleware: boolean;
  readonly serving?: Serving;
  readonly guard?: Guard;
  readonly log: FailureLog;
  readonly isObserved?: boolean;
  readonly planner?: Planner;
  /** Whether the lane may leave out the middleware of the application. */
  readonly isOnLane?: boolean;
}

/** Prepares limit, middleware, binding, call and response; synchronous unless a part is not. @throws {MappingError} */
export function routeResponder(route: ServedRoute, environment: RouteEnvironment): Responder {
  const { fail, log, planner } = environment;
  const maxBodyBytes = route.maxBodySize ?? environment.maxBodyBytes;
  const hasMiddleware = environment.hasMiddleware || route.middleware.length > 0;
  const guarding = environment.guard?.routeGuard(route, hasMiddleware, fail, log);
  const handle = handlerResponder(route, environment, guarding);
  const respond = chain(route.middleware, guarding?.guarded(handle) ?? handle, fail);
  if (route.method === "GET") return planner?.withPlan(handle, respond) ?? respond;
  // Authentication comes before the limit of the body.
  const refuse = guarding && chain(route.middleware, guarding.refuse, fail);
  const limited: Responder = (context) => {
    try {
      limitBody(context, maxBodyBytes);
    } catch (error) {
      if (refuse === undefined) return fail(context, error);
      refuseBody(context, error);
      return refuse(context);
    }
    return respond(context);
  };
  return planner?.withPlan(handle, limited) ?? limited;
}

function handlerResponder(
  route: ServedRoute,
  environment: RouteEnvironment,
  guarding: RouteGuard | undefined,
): Responder {
  const { fail, serving, maxFormFields, hasMiddleware, planner } = environment;
  const variables = variableReaders(route.pattern);
  const parts = { variables, maxFormFields, ...(serving && { serving }) };
  const bean = environment.beanOf(route);
  const method = methodOf(bean, route.handler, labelOf(route));
  const site = siteOf(route, variables, environment);
  const binds = route.binders.map((binder) => binder.compile(site));
  const { guard } = environment;
  const { handler = method, bind } = guard?.ruled(route, method) ?? {};
  if (bind) binds.push(bind);
  const sources = route.binders.flatMap(({ fields }) => fields ?? []);
  const fields = sources[0]?.collected(sources);
  const call = invoker(bean, handler, binds);
  const invoke = checked(route, fields?.looking(call) ?? call);

  // Otherwise other code may add headers to the response.
  const isUntouched = !environment.isObserved && !hasMiddleware && route.middleware.length === 0;

  const deliver = (exchange: Exchange, value: unknown, answered: Response) => {
    const isContextSeen = exchange.isContextSeen ||
      guarding !== undefined && guard?.hasSeenContext(exchange) === true;
    const response = fields?.addedTo(answered, exchange) ?? answered;
    if (!isStreaming(value)) markFixed(response, isUntouched && !isContextSeen);
    return hasMiddleware || isContextSeen ? commit(exchange.context, response) : response;
  };
  const finish = finisher(answerer(route, serving), deliver, fail);
  const respond: Responder = (context) => {
    try {
      const exchange = new RoutedExchange(context, parts);
      const value = invoke(exchange);
      if (!isThenable(value)) return finish(exchange, value);
      return Promise.resolve(value).then(
        (value) => finish(exchange, value),
        (error) => fail(context, error),
      );
    } catch (error) {
      return fail(context, error);
    }
  };
  if (planner === undefined || environment.isObserved || !environment.isOnLane) return respond;
  const own = { parts, invoke, finish, deliver, ...(guarding && { guard: guarding.onLane }) };
  return planner.planned(respond, route, environment, own, method.length);
}

function finisher(
  answer: ReturnType<typeof answerer>,
  deliver: Plan["deliver"],
  fail: FailureResponder,
): Plan["finish"] {
  return (exchange, value) => {
    try {
      const response = answer(exchange.context, value);
      if (!(response instanceof Promise)) return deliver(exchange, value, response);
      return response.then((response) => deliver(exchange, value, response))
        .catch((error) => fail(exchange.context, error));
    } catch (error) {
      return fail(exchange.context, error);
    }
  };
}

function siteOf(
  route: ServedRoute,
  readers: ReturnType<typeof variableReaders>,
  { beans, guard }: RouteEnvironment,
): BindingSite {
  const { segments } = route.pattern;
  const label = labelOf(route);
  return {
    beans,
    guard,
    access: route.access,
    consumes: route.consumes,
    inputs: route.binders.map(({ input }) => input),
    label,
    variable(name, of) {
      const [start, end] = of === "class" ? [0, route.prefixSegments] : [route.prefixSegments];
      const reader = readers.get(name);
      if (reader && segments.slice(start, end).flatMap(namesOf).includes(name)) return reader;
      const place = of === "class" ? "the prefix of its class" : "the path of its mapping";
      const what = `the path variable '${name}' of '${label}'`;
      throw new MappingError(`Cannot bind ${what}: ${place} does not contain '{${name}}'`, [label]);
    },
  };
}
