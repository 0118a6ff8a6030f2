/**
 * REST controllers by standard decorators, compiled to Hono: what the author of an application imports.
 *
 * ```ts ignore
 * import { bootstrap, GetMapping, PathVariable, RestController } from "@irori/irori";
 *
 * @RestController()
 * class GreetingController {
 *   @GetMapping("/greetings/{name}", PathVariable("name"))
 *   greet(name: string) {
 *     return { message: `Hello ${name}` };
 *   }
 * }
 *
 * const app = await bootstrap({ components: [GreetingController] });
 * const response = await app.request("/greetings/Ada");
 * console.log(await response.json()); // { message: "Hello Ada" }
 * ```
 *
 * - **Controllers**: {@linkcode RestController}, {@linkcode GetMapping} and its like, {@linkcode Use} for Hono
 *   middleware. Parameters are bound by {@linkcode PathVariable}, {@linkcode RequestParam},
 *   {@linkcode RequestBody}, {@linkcode RequestHeader}, {@linkcode CookieValue}, {@linkcode FormParam},
 *   {@linkcode RequestPart} and {@linkcode binder}, in their order; the compiler checks types and names.
 * - **Beans**: {@linkcode Component}, {@linkcode Service}, {@linkcode Configuration} with {@linkcode Bean};
 *   {@linkcode Autowired}, {@linkcode Value} and {@linkcode inject}.
 * - **Answers**: any value, a {@linkcode ResponseEntity} or a `Response`; an {@linkcode ErrorController} for
 *   everything that fails.
 * - **The application**: {@linkcode bootstrap} reads the configuration, finds components and compiles routes.
 *
 * @module
 */
export {
  type Application,
  bootstrap,
  type BootstrapOptions,
  ErrorControllerError,
  type ExtendedApplication,
  type Extension,
  type ExtensionParts,
  type Listening,
  ScanError,
  type StartupFunction,
} from "./src/app/mod.ts";
export {
  type Binder,
  binder,
  BindingError,
  type BindingIssue,
  CookieValue,
  DeleteMapping,
  type ErrorController,
  FormParam,
  GetMapping,
  type HttpMethod,
  MappingError,
  type MappingOptions,
  Model,
  PatchMapping,
  PathVariable,
  PostMapping,
  PutMapping,
  RequestBody,
  RequestHeader,
  RequestMapping,
  type RequestMappingOptions,
  RequestParam,
  RequestPart,
  RestController,
  type Route,
  Use,
} from "./src/web/mod.ts";
export {
  HttpError,
  type HttpErrorOptions,
  HttpRequest,
  HttpStatus,
  problem,
  type ProblemDetail,
  ResponseEntity,
  ServerSentEvent,
  toXml,
  XmlError,
} from "./src/http/mod.ts";
export {
  type ApplicationContext,
  Autowired,
  Bean,
  BeanCreationError,
  BeanCycleError,
  type BeanInfo,
  Component,
  Configuration,
  DuplicateBeanError,
  inject,
  InjectionError,
  NoSuchBeanError,
  NoUniqueBeanError,
  PostConstruct,
  PreDestroy,
  Primary,
  Qualifier,
  Scope,
  Service,
  Value,
} from "./src/container/mod.ts";
export {
  type Config,
  ConfigError,
  type ConfigMap,
  type ConfigValue,
  createConfig,
  type CreateConfigOptions,
  type Origin,
} from "./src/config/mod.ts";

// Types that the signatures above are made of.
export type {
  Absent,
  Around,
  Bind,
  BinderInput,
  Binders,
  BindingSite,
  BodyOptions,
  Bound,
  BoundPart,
  Endpoint,
  Exchange,
  FailureLog,
  HandlerDecorator,
  Mapping,
  ModelBase,
  ModelClass,
  NameOf,
  OptionalBody,
  OutputOf,
  PathVariableOptions,
  Pattern,
  Query,
  RawBodies,
  RawFormat,
  RequestPartOptions,
  Responder,
  ScalarTypes,
  Segment,
  UseDecorator,
  ValueOf,
  ValueOptions,
  ValueType,
  VariableReader,
  VariablesOf,
  WithRequest,
} from "./src/web/mod.ts";
export type {
  AnyFieldDecorator,
  BeanDecorator,
  BeanOptions,
  ComponentDecorator,
  Constructor,
  FieldDecorator,
  InjectionTarget,
  MethodDecorator,
  Type,
} from "./src/container/mod.ts";
export type * from "./src/runtime/mod.ts";
