import type { Context, MiddlewareHandler, Next } from "hono";
import type { Type } from "../container/mod.ts";
import type {
  HttpRequest,
  HttpStatus,
  ProblemClass,
  RequestSource,
  ResponseEntity,
} from "../http/mod.ts";

/** @internal */
export type Access = NonNullable<Route["access"]>;

/** Decides by the user and the bound parameters; `this` is the controller. */
export type AccessRule = (this: unknown, user: unknown, ...parameters: unknown[]) => unknown;

/** Called at startup, once for each route and endpoint. */
export interface Decisions {
  accessOf(declared: Access | undefined): Access;
  /** For what has no annotations: an endpoint of an extension, or what is mounted on the Hono app. */
  accessAt(path: string, isProbe?: boolean): PathAccess;
  checkRoutes(endpoints: readonly string[]): void;
  /** When everything is mounted. @throws {MappingError} for a rule that matches nothing */
  checkPaths(): void;
  checkOf(access: Access, log: FailureLog): AccessCheck | undefined;
  /** Authenticates a request that may be anonymous. @throws {HttpError} for invalid credentials */
  identifier(log: FailureLog): AccessCheck;
  userOf(request: Subject): object | undefined;
  identityOf(request: Subject): string | undefined;
  /** Whether authentication had access to Hono's context, and may have set headers there. */
  hasSeenContext(request: Subject): boolean;
  /** Called when a request on the lane gets a context, which is its subject from then on. */
  moveIdentity(from: Subject, to: Context): void;
  /** Runs between the check of a route and its binders. */
  readonly middleware: readonly MiddlewareHandler[];
  /** Security schemes of OpenAPI, by name. */
  readonly schemes: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/**
 * The access to a path: the same for all requests, or decided by the path of each.
 *
 * @throws {HttpError} 400, from the function, for an ambiguous path
 * @internal
 */
export type PathAccess = Access | ((path: string) => Access);

/** @internal */
export type AccessCheck = (request: Subject) => void | Promise<void>;

/** @internal */
export type PathCheck = (context: Context) => void | Promise<void>;

/** The key that users are kept by: Hono's context or, until it exists, a request on the lane. */
export type Subject = Context | LaneRequest;

export interface LaneRequest extends RequestSource, Matched {
  /** Its context if it has got one, otherwise itself. */
  readonly subject: Subject;
  /** For code that runs before the routes, and knows no variables of the path. */
  unrouted(): HttpRequest;
}

/** A handler and its mapping, as plain data. */
export interface Route {
  /** Its HTTP method; the handler of GET also answers HEAD. */
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";
  /** The full path: context path, prefix of the class, path of the method. */
  readonly path: string;
  /** Bean name of the controller. */
  readonly controller: string;
  /** Name of the method. */
  readonly handler: string;
  /** Accepted media types of bodies; empty if any. */
  readonly consumes: readonly string[];
  /** Media types of responses; empty if any. */
  readonly produces: readonly string[];
  /** Status code of the mapping, if it names one. */
  readonly status?: number;
  /** Required access; absent without a declaration and `security()`. */
  readonly access?: {
    /** All users, authenticated users, or users with one of the roles. */
    readonly allows: "permitAll" | "authenticated" | "rolesAllowed";
    /** One of them is sufficient. */
    readonly roles?: readonly string[];
    /** Whether `@PreAuthorize` functions decide, too. */
    readonly preAuthorize?: true;
  };
  /** Its API version; absent if it serves all versions. */
  readonly version?: string;
  /** Whether it is deprecated. */
  readonly deprecated?: true;
}

/** The methods that a handler can be mapped to. */
export type HttpMethod = Route["method"];

/** Answers all errors that no handler answers: the bean named `errorController`. */
export interface ErrorController {
  /** Fills `response`, which has its status and no body. `error` is absent for 404, 405 and similar. */
  handleError(
    request: HttpRequest,
    response: ResponseEntity,
    status: HttpStatus,
    error?: unknown,
  ): void | Promise<void>;
}

/**
 * Middleware as a bean, for {@linkcode Use} or `bootstrap({ middleware })`. The container creates it once, with its
 * `@Autowired`, `@Value` and `inject()` fields. It needs no stereotype.
 *
 * ```ts ignore
 * class RateLimit implements Middleware {
 *   @Autowired(Counters) private readonly counters!: Counters;
 *
 *   async handle(context: Context, next: Next) {
 *     if (await this.counters.isOver(context.req.path)) throw new HttpError(429);
 *     await next();
 *   }
 * }
 * ```
 */
export interface Middleware {
  /** Returns a response, or awaits `next()`, which runs the next middleware or the handler. */
  handle(context: Context, next: Next): Response | void | Promise<Response | void>;
}

/** @internal */
export type MiddlewareSource = MiddlewareHandler | Type<Middleware>;

/** A matched request: Hono's, or one on the fast path. */
export interface Matched {
  readonly path: string;
  /** Hono's path of the handler that runs, with that of an application that has mounted this one. */
  readonly routePath?: string;
  param(name: string): string | undefined;
}

export type VariableReader = (request: Matched) => string;

/** @internal */
export type FailureLog = (message: string, error: unknown, level: FailureLevel) => void;

/** @internal */
export type FailureLevel = "ERROR" | "DEBUG";

export interface DeclaredErrors {
  /** Those of the mapping, as their handlers send them, and `refused`. */
  readonly problems: readonly (HttpStatus | ProblemClass)[];
  /** For invalid requests. */
  readonly refused?: ProblemClass;
  /** For all other errors, or for those that are an `HttpError`. */
  readonly failed?: { readonly any?: SentProblem; readonly http?: SentProblem };
}

/** The problem that a handler declares for an error of a status, by default 500: always the same object for a status. */
export type SentProblem = (status?: HttpStatus) => ProblemClass;

/** Header fields by their names: `null` removes one, `Vary` is added to what a response has, others replace theirs. */
export type AddedFields = Readonly<Record<string, string | null>>;

/** The facts that choose the fields of a request. Its path is the one that routes see, without the query. */
export interface Asked {
  /** Its method. */
  readonly method: string;
  /** Its path, decoded but for `/` and `%`. */
  readonly path: string;
  /** A header field; `null` where there is none. */
  header(name: string): string | null;
}

/** @internal Adds header fields to all answers: those of handlers, middleware and errors alike. */
export interface FieldSource {
  /** The answer to a request that no route and no check shall see, such as a preflight of CORS. */
  before(request: Request): Response | undefined;
  addedTo(response: Response, request: Request): Response;
  /** For the answers to a request: the same object for the same fields, as each is prepared only once. */
  of(request: Asked): AddedFields;
}
