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
} from "./bind/binder.ts";
export { BindingError } from "./bind/binding_error.ts";
export { type ApiVersionSettings, isVersion, notVersion } from "./declare/api_versions.ts";
export { ACCEPTED, unsupportedType } from "./bind/body.ts";
export { CookieValue } from "./bind/cookie_value.ts";
export { FormParam } from "./bind/form_param.ts";
export { PathVariable } from "./bind/path_variable.ts";
export { RequestBody } from "./bind/request_body.ts";
export { RequestHeader } from "./bind/request_header.ts";
export { RequestParam } from "./bind/request_param.ts";
export { RequestPart } from "./bind/request_part.ts";
export { compile, type CompileOptions, type Interceptor, passive } from "./serve/compile.ts";
export type { Exchange } from "./bind/exchange.ts";
export { mergedFailures } from "./bind/invoke.ts";
export type { Endpoint } from "./serve/endpoint.ts";
export type { FailureResponder, Responder } from "./answer/chain.ts";
export { ControllerAdvice } from "./declare/controller_advice.ts";
export { MappingError } from "./errors.ts";
export { ExceptionHandler } from "./fail/exception_handler.ts";
export type { FailureLevel, FailureLog } from "./failure_log.ts";
export { type Failures, failuresOf } from "./serve/failures.ts";
export { tooMany } from "./bind/form.ts";
export {
  DeleteMapping,
  GetMapping,
  PatchMapping,
  PostMapping,
  PutMapping,
  RequestMapping,
} from "./declare/mappings.ts";
export type { AccessCheck, PathAccess } from "./access.ts";
export { forbidden, type Guard, guardBy, userBind } from "./serve/guarded.ts";
export { NO_STORE } from "./answer/no_store.ts";
export { handlerName } from "./declare/handler_name.ts";
export { consumesFits, negotiate } from "./answer/media_type.ts";
export { takesNothing } from "./route/returns.ts";
export { type Deprecation, deprecation, type DeprecationOptions } from "./answer/deprecation.ts";
export { METHODS } from "./path/methods.ts";
export { checkMiddleware, middlewareClasses, middlewareResolver } from "./declare/middleware.ts";
export { boundaryOf, plainFileName } from "./bind/form.ts";
export { parsePattern, type Segment } from "./path/pattern.ts";
export { requestIdOf } from "./bind/request_id.ts";
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
} from "./serve/request_scope.ts";
export { type RequestMaker, requestMaker } from "./serve/request_maker.ts";
export { RestController } from "./declare/rest_controller.ts";
export { rejectUndecoratedControllers, routeTable, shownRoutes } from "./route/route_table.ts";
export { apiVersionsOf, routesOfVersion, versionsByHeader } from "./route/route_versions.ts";
export { type ControllerBean, type ServedRoute, servedRoute } from "./route/served_route.ts";
export type { ErrorController, HttpMethod, Middleware, MiddlewareSource, Route } from "./types.ts";
export { Use } from "./declare/use.ts";
export { decoded, failure, textStep, valueBinding } from "./bind/value_binding.ts";
