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
 * - **Answers**: any value, a {@linkcode ResponseEntity} or a `Response`; what fails
 *   by its class in {@linkcode ExceptionHandler} methods of a {@linkcode ControllerAdvice}, all else by an
 *   {@linkcode ErrorController}.
 * - **The application**: {@linkcode bootstrap} reads the configuration, finds components and compiles routes.
 *
 * @module
 */
export {
  type Application,
  type BootstrapOptions,
  ErrorControllerError,
  type ExtendedApplication,
  type Extension,
  type ExtensionBeans,
  type ExtensionParts,
  ScanError,
} from "./src/app/mod.ts";
export { bootstrap } from "./src/features/bootstrap.ts";
export {
  type Binder,
  binder,
  BindingError,
  ControllerAdvice,
  CookieValue,
  DeleteMapping,
  type ErrorController,
  ExceptionHandler,
  FormParam,
  GetMapping,
  MappingError,
  type Middleware,
  PatchMapping,
  PathVariable,
  PostMapping,
  PutMapping,
  RequestBody,
  RequestHeader,
  RequestMapping,
  RequestParam,
  RequestPart,
  RestController,
  type Route,
  Use,
} from "./src/web/mod.ts";
export { Model } from "./src/schema/mod.ts";
export {
  HttpError,
  HttpRequest,
  HttpStatus,
  Problem,
  problem,
  type ProblemDetail,
  ResponseEntity,
  ServerSentEvent,
  STATUS,
} from "./src/http/mod.ts";
export {
  type ApplicationContext,
  Autowired,
  Bean,
  BeanCreationError,
  BeanCycleError,
  type ClassContext,
  Component,
  Configuration,
  decorate,
  DuplicateBeanError,
  type FieldContext,
  inject,
  InjectionError,
  type MethodContext,
  NoSuchBeanError,
  NoUniqueBeanError,
  OnReady,
  PostConstruct,
  PreDestroy,
  Primary,
  Profile,
  Qualifier,
  Scope,
  Service,
  Value,
} from "./src/container/mod.ts";
export { type Config, ConfigError } from "./src/config/mod.ts";
export { ListenError, PackageNotFoundError } from "./src/runtime/mod.ts";
