/**
 * REST controllers by standard decorators: mappings, binders, and their compilation to Hono.
 *
 * @module
 */
export { type Bind, type Binder, binder, type BinderInput, type BindingSite } from "./binder.ts";
export { BindingError, type BindingIssue } from "./binding_error.ts";
export { CookieValue } from "./binders/cookie_value.ts";
export { FormParam } from "./binders/form_param.ts";
export { PathVariable, type PathVariableOptions } from "./binders/path_variable.ts";
export { type RawBodies, RequestBody } from "./binders/request_body.ts";
export { RequestHeader } from "./binders/request_header.ts";
export { RequestParam } from "./binders/request_param.ts";
export { type BoundPart, RequestPart, type RequestPartOptions } from "./binders/request_part.ts";
export type { RawFormat } from "./body.ts";
export type { BodyOptions, OptionalBody } from "./binders/_body_binder.ts";
export { type Around, compile, type CompileOptions } from "./compile.ts";
export type { Endpoint } from "./endpoint.ts";
export type { FailureResponder, Responder } from "./chain.ts";
export { MappingError } from "./errors.ts";
export { type FailureLog, failureResponder } from "./failure.ts";
export type {
  Binders,
  HandlerDecorator,
  Mapping,
  MappingOptions,
  NameOf,
  RequestMappingOptions,
  VariablesOf,
  WithRequest,
} from "./mapping_types.ts";
export {
  DeleteMapping,
  GetMapping,
  PatchMapping,
  PostMapping,
  PutMapping,
  RequestMapping,
} from "./mappings.ts";
export { METHODS } from "./methods.ts";
export { Model, type ModelBase, modelSchema } from "./model.ts";
export type { Pattern, Segment } from "./pattern.ts";
export { requestIdOf } from "./request_id.ts";
export { RestController } from "./rest_controller.ts";
export { type ControllerBean, refuseForgotten, routeTable } from "./route_table.ts";
export type { ErrorController, HttpMethod, Route } from "./types.ts";
export { Use, type UseDecorator } from "./use.ts";
export type {
  Absent,
  Bound,
  ModelClass,
  OutputOf,
  ScalarTypes,
  ValueOf,
  ValueOptions,
  ValueType,
} from "./value_type.ts";
export type { Exchange } from "./exchange.ts";
export type { Query } from "./query.ts";
export type { VariableReader } from "./variables.ts";
