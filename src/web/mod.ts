/** REST controllers by standard decorators: mappings, binders, and their compilation to Hono. */
export { type AccessDeclaration, declareAccess, isOpenWithUser } from "./access.ts";
export { changeResponse, type Responder } from "./answer/chain.ts";
export { type Deprecation, deprecation } from "./answer/deprecation.ts";
export { consumesFits, negotiate } from "./answer/media_type.ts";
export {
  type AnswerFields,
  answerFields,
  type Binder,
  binder,
  type BinderInput,
  binderOf,
  type BindingSite,
  type Exchange,
} from "./bind/binder.ts";
export { BindingError, decoded, failure } from "./bind/binding_error.ts";
export { ACCEPTED, unsupportedType } from "./bind/body.ts";
export { boundaryOf, plainFileName, tooMany } from "./bind/form.ts";
export { FormParam } from "./bind/form_param.ts";
export { mergedFailures } from "./bind/invoke.ts";
export { isPlaced, PLACES } from "./bind/places.ts";
export { RequestBody } from "./bind/request_body.ts";
export { requestIdOf } from "./bind/request_id.ts";
export { RequestParam } from "./bind/request_param.ts";
export { RequestPart } from "./bind/request_part.ts";
export { CookieValue, PathVariable, RequestHeader } from "./bind/text_binders.ts";
export { textStep, valueBinding } from "./bind/value_binding.ts";
export { ApiVersions, type VersionsOf } from "./route/api_versions.ts";
export { isVersion, notVersion } from "./declare/versions.ts";
export * from "./declare/mappings.ts";
export { FIELDS, handlerName, MAPPINGS, MIDDLEWARE } from "./declare/metadata.ts";
export * from "./declare/middleware.ts";
export { ControllerAdvice, RestController } from "./declare/stereotypes.ts";
export { MappingError } from "./errors.ts";
export { ExceptionHandler } from "./fail/exception_handler.ts";
export { METHODS } from "./path/methods.ts";
export { routingPath } from "./path/routing_path.ts";
export { parsePattern, type Pattern, piecesOf, type Segment } from "./path/pattern.ts";
export { compareSpecificity } from "./path/specificity.ts";
export { takesNothing } from "./answer/returns.ts";
export { rejectUndecoratedControllers, routeTable, shownRoutes } from "./route/route_table.ts";
export { apiVersionsOf, routesOfVersion, versionsByHeader } from "./route/route_versions.ts";
export { type ControllerBean, type ServedRoute, servedRoute } from "./route/served_route.ts";
export { type LaneHooks, laneOf } from "./serve/lane.ts";
export { functionsText, laneObstacles } from "./serve/lane_obstacles.ts";
export { onLane, type Planner, planner } from "./serve/plan.ts";
export type { Observe, Observed, Observer } from "./serve/exchange.ts";
export { observing, sentPathOf, urlOf } from "./serve/observer.ts";
export { compile, type CompileOptions, finderByPath } from "./serve/compile.ts";
export type { Endpoint } from "./serve/endpoint.ts";
export { type Failures, failuresOf } from "./serve/failures.ts";
export { forbidden, type Guard, guardBy, userBind } from "./serve/guarded.ts";
export * from "./serve/request_scope.ts";
export { type Steps, stepsByPart, stepsOf } from "./serve/steps.ts";
export type * from "./types.ts";
