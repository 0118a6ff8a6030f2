/**
 * REST controllers by standard decorators: mappings, binders, and their compilation to Hono.
 *
 * @module
 */
export {
  ACCESS,
  type Access,
  type AccessDeclaration,
  type AccessRule,
  isOpenWithUser,
} from "./access.ts";
export {
  type AnswerFields,
  type Binder,
  binder,
  type BinderInput,
  binderOf,
  type BindingSite,
} from "./binder.ts";
export { BindingError } from "./binding_error.ts";
export { type ApiVersionSettings, isVersion, notVersion } from "./api_versions.ts";
export { ACCEPTED, unsupportedType } from "./body.ts";
export { CookieValue } from "./binders/cookie_value.ts";
export { FormParam } from "./binders/form_param.ts";
export { PathVariable } from "./binders/path_variable.ts";
export { RequestBody } from "./binders/request_body.ts";
export { RequestHeader } from "./binders/request_header.ts";
export { RequestParam } from "./binders/request_param.ts";
export { RequestPart } from "./binders/request_part.ts";
export { compile, type CompileOptions, type Interceptor, passive } from "./compile.ts";
export type { Exchange } from "./exchange.ts";
export { mergedFailures } from "./invoke.ts";
export type { Endpoint } from "./endpoint.ts";
export type { FailureResponder, Responder } from "./chain.ts";
export { ControllerAdvice } from "./controller_advice.ts";
export { MappingError } from "./errors.ts";
export { ExceptionHandler } from "./exception_handler.ts";
export type { FailureLevel, FailureLog } from "./failure_log.ts";
export { type Failures, failuresOf } from "./failures.ts";
export { tooMany } from "./form.ts";
export {
  DeleteMapping,
  GetMapping,
  PatchMapping,
  PostMapping,
  PutMapping,
  RequestMapping,
} from "./mappings.ts";
export type { AccessCheck, PathAccess } from "./access.ts";
export { forbidden, type Guard, guardBy, userBind } from "./guarded.ts";
export { NO_STORE } from "./no_store.ts";
export { handlerName } from "./handler_name.ts";
export { consumesFits, negotiate } from "./media_type.ts";
export { takesNothing } from "./returns.ts";
export { type Deprecation, deprecation, type DeprecationOptions } from "./deprecation.ts";
export { METHODS } from "./methods.ts";
export { checkMiddleware, middlewareClasses, middlewareResolver } from "./middleware.ts";
export { boundaryOf, plainFileName } from "./form.ts";
export { parsePattern, type Segment } from "./pattern.ts";
export { requestIdOf } from "./request_id.ts";
export {
  AnsweredRequest,
  areScopesKept,
  currentFields,
  currentScope,
  inNewScope,
  inScope,
  inScopeOf,
  keepScopes,
  type LogFields,
} from "./request_scope.ts";
export { type RequestMaker, requestMaker } from "./request_maker.ts";
export { RestController } from "./rest_controller.ts";
export { rejectUndecoratedControllers, routeTable, shownRoutes } from "./route_table.ts";
export { apiVersionsOf, routesOfVersion, versionsByHeader } from "./route_versions.ts";
export { type ControllerBean, type ServedRoute, servedRoute } from "./served_route.ts";
export type { ErrorController, HttpMethod, Middleware, MiddlewareSource, Route } from "./types.ts";
export { Use } from "./use.ts";
export { decoded, failure, textStep, valueBinding } from "./value_binding.ts";
