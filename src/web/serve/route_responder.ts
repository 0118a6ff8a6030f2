import type { Beans } from "../../container/mod.ts";
import { isBodiless, type Serving } from "../../http/mod.ts";
import { answerer, type FailureResponder, type Responder } from "../answer/chain.ts";
import type { BindingSite } from "../bind/binder.ts";
import { invoker, methodOf } from "../bind/invoke.ts";
import { MappingError } from "../errors.ts";
import { variablesOf } from "../path/pattern.ts";
import { variableReaders } from "../path/variables.ts";
import { checkAnswers } from "../answer/returns.ts";
import { labelOf, type ServedRoute } from "../route/served_route.ts";
import type { Guard } from "./guarded.ts";
import type { Observe, Plan } from "./exchange.ts";
import type { PlannedResponder, Planner } from "./plan.ts";
import { responderOf } from "./routed.ts";
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
  readonly observe?: readonly Observe[];
  readonly planner?: Planner;
  /** Whether the lane may leave out the middleware of the application. */
  readonly isOnLane?: boolean;
}

/** Prepares all that a route does for its requests. @throws {MappingError} */
export function routeResponder(
  route: ServedRoute,
  environment: RouteEnvironment,
): PlannedResponder {
  const { fail, serving, maxFormFields, hasMiddleware, planner, log, observe = [] } = environment;
  const variables = variableReaders(route.pattern);
  const bean = environment.beanOf(route);
  const method = methodOf(bean, route.handler, labelOf(route));
  const site = siteOf(route, variables, environment);
  const binds = route.binders.map((binder) => binder.compile(site));
  const { handler = method, bind } = environment.guard?.ruled(route, method) ?? {};
  if (bind) binds.push(bind);
  const sources = route.binders.flatMap(({ fields }) => fields ?? []);
  const fields = sources[0]?.collected(sources);
  const call = invoker(bean, handler, binds);
  const { middleware: uses, status = 200, produces } = route;
  const isJson = produces.length === 0 && fields === undefined && !isBodiless(status);
  const maxBytes = route.maxBodySize ?? environment.maxBodyBytes;
  const plan: Plan = {
    observation: observe[0]?.joined(observe.map((of) => of(route)), serving),
    parts: { variables, maxFormFields, ...(serving && { serving }) },
    ...(route.method !== "GET" && { maxBytes }),
    uses,
    isShared: hasMiddleware || uses.length > 0,
    guard: environment.guard?.routeGuard(route, log),
    invoke: checkAnswers(route, fields?.looking(call) ?? call),
    json: isJson ? planner?.json : undefined,
    status,
    answer: answerer(route, serving),
    fields,
    fail,
  };
  const respond = responderOf(plan);
  const { isOnLane, notFound } = environment;
  const ofLane = isOnLane
    ? planner?.lanePlan(plan, route, { maxBodyBytes: maxBytes, notFound }, method.length)
    : undefined;
  return Object.assign(respond, ofLane && { plan: ofLane });
}

function siteOf(
  route: ServedRoute,
  readers: ReturnType<typeof variableReaders>,
  { beans, guard }: RouteEnvironment,
): BindingSite {
  const label = labelOf(route);
  return {
    beans,
    guard,
    access: route.access,
    consumes: route.consumes,
    inputs: route.binders.map(({ input }) => input),
    label,
    variable(name, of) {
      const reader = readers.get(name);
      const index = route.pattern.segments.findIndex((one) => variablesOf(one).includes(name));
      if (reader && (index < route.prefixSegments) === (of === "class")) return reader;
      const [here, other, advice] = of === "class"
        ? [IN_CLASS, IN_MAPPING, 'leave out { in: "class" }']
        : [IN_MAPPING, IN_CLASS, `write PathVariable("${name}", "string", { in: "class" })`];
      const what = `'${name}' of '${label}': ${here} does not contain '{${name}}'`;
      const hint = reader ? `; ${other} does: ${advice}` : "";
      throw new MappingError(`Cannot bind the path variable ${what}${hint}`, [label]);
    },
  };
}

const IN_CLASS = "the prefix of its class";
const IN_MAPPING = "the path of its mapping";
