import { allMetadata, ownMetadata } from "../../container/mod.ts";
import type { FailureResponder } from "../answer/chain.ts";
import { ADVICES, CONTROLLERS, type ErrorHandlers, EXCEPTIONS } from "../declare/metadata.ts";
import { type FailureOptions, failureResponder } from "../fail/failure.ts";
import { answerCheck, sourceOf } from "../answer/returns.ts";
import type { ControllerBean, ServedRoute } from "../route/served_route.ts";
import { requestMaker } from "./request_scope.ts";

export interface Failures {
  readonly fail: FailureResponder;
  /** In a route; absent if no class handles errors and there is no error controller. */
  readonly failOf?: (route: ServedRoute) => FailureResponder;
}

interface FailuresOptions
  extends Omit<FailureOptions, "places" | "requestOf" | "check" | "produces"> {
  readonly beans: Iterable<ControllerBean>;
  readonly beanOf: (name: string) => object;
}

/** Handlers of a controller come before those of the advices. @throws {MappingError} */
export function failuresOf({ beans, beanOf, ...options }: FailuresOptions): Failures {
  const advices: ErrorHandlers[] = [];
  const own = new Map<string, ErrorHandlers>();
  for (const { name, type } of beans) {
    if (type === undefined) continue;
    const isAdvice = ownMetadata(type, ADVICES).length > 0;
    if (!isAdvice && ownMetadata(type, CONTROLLERS).length === 0) continue;
    const [declared] = allMetadata(type, EXCEPTIONS);
    if (declared === undefined) continue;
    const handlers = declared.handlersOf(type, beanOf(name));
    if (isAdvice) advices.push(handlers);
    else own.set(name, handlers);
  }
  const requestOf = requestMaker(options.serving);
  const fail = failureResponder({ ...options, places: advices, requestOf });
  if (advices.length + own.size === 0 && options.controller === undefined) return { fail };
  return {
    fail,
    failOf: (route) => {
      const { controller, produces } = route;
      return failureResponder({
        ...options,
        places: [own.get(controller) ?? [], advices].flat(),
        // Values without a status get that of the error.
        check: answerCheck(route.returns, sourceOf(route), 500),
        produces,
        requestOf: (context) => requestOf(context, route),
      });
    },
  };
}
