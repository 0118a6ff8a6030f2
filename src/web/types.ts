import type { Context, HonoRequest, MiddlewareHandler, Next } from "hono";
import type { Type } from "../container/mod.ts";
import type { HttpRequest, HttpStatus, ResponseEntity } from "../http/mod.ts";

/** @internal */
export type Access = NonNullable<Route["access"]>;

/** Decides by the user and the bound parameters; `this` is the controller. */
export type AccessRule = (this: unknown, user: unknown, ...parameters: unknown[]) => unknown;

/** Called at startup, once for each route and endpoint. */
export interface Decisions {
  accessOf(declared: Access | undefined): Access;
  /** For what has no annotations: an endpoint of an extension, or what is mounted on the Hono app. */
  accessAt(path: string, isProbe?: boolean): PathAccess;
  /**
   * Called once with the paths of all endpoints, which are matched before routes.
   *
   * @throws {MappingError} when something else than annotations decides about a route
   */
  checkRoutes(endpoints: readonly string[]): void;
  /** Authenticates a request; `undefined` if no user is needed. */
  checkOf(access: Access, log: FailureLog): AccessCheck | undefined;
  /** Authenticates a request that may be anonymous. @throws {HttpError} for invalid credentials */
  identifier(log: FailureLog): AccessCheck;
  userOf(context: Context): object | undefined;
  /** Whether authentication had access to Hono's context, and may have set headers there. */
  hasSeenContext(context: Context): boolean;
  /** Security schemes of OpenAPI, by name. */
  readonly schemes: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export interface PathCheckOptions {
  readonly log: FailureLog;
  /** Whether it is a health probe. @default false */
  readonly isProbe?: boolean;
}

/**
 * The access to a path: the same for all requests, or decided by the path of each.
 *
 * @throws {HttpError} 400, from the function, for an ambiguous path
 * @internal
 */
export type PathAccess = Access | ((path: string) => Access);

/**
 * Passes or throws: 401, 403, or 503 if authentication is unavailable.
 *
 * @internal
 */
export type AccessCheck = (context: Context) => void | Promise<void>;

/** One handler as it is served, as plain data. */
export interface Route {
  /** The method it answers; HEAD is answered by the handler of GET. */
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";
  /** The whole path, as it was declared: context path, prefix of the class, path of the method. */
  readonly path: string;
  /** Bean name of the controller. */
  readonly controller: string;
  /** Name of the method. */
  readonly handler: string;
  /** Media types of the bodies that it takes; empty when any. */
  readonly consumes: readonly string[];
  /** Media types that it answers with; empty when any. */
  readonly produces: readonly string[];
  /** Code of the status that the mapping names for what it returns; absent where it names none. */
  readonly status?: number;
  /** Who may call it; absent where nothing is declared and `security()` is not installed. */
  readonly access?: {
    /** Everyone, every authenticated user, or users with one of the roles. */
    readonly allows: "permitAll" | "authenticated" | "rolesAllowed";
    /** Of which one suffices. */
    readonly roles?: readonly string[];
    /** Whether functions of `@PreAuthorize` decide as well. */
    readonly preAuthorize?: true;
  };
  /** The version of the API that it belongs to; absent where it serves all of them. */
  readonly version?: string;
  /** Whether clients should leave it. */
  readonly deprecated?: true;
}

/** The methods that a handler can be mapped to. */
export type HttpMethod = Route["method"];

/**
 * Answers everything that no handler answered: the bean named `errorController`.
 */
export interface ErrorController {
  /**
   * Fills `response`, which arrives with its status and without a body.
   *
   * @param error what was thrown; absent for 404, 405 and the like
   */
  handleError(
    request: HttpRequest,
    response: ResponseEntity,
    status: HttpStatus,
    error?: unknown,
  ): void | Promise<void>;
}

/**
 * Middleware that is a bean: its class is given to {@linkcode Use} or `bootstrap({ middleware })`, and the container
 * builds one of it, with its `@Autowired`, `@Value` and `inject()` fields. It needs no stereotype.
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
  /**
   * Answers the request, or awaits `next()` and changes what is answered then.
   *
   * @param context Hono's
   * @param next runs what comes behind, down to the handler
   */
  handle(context: Context, next: Next): Response | void | Promise<Response | void>;
}

/** @internal */
export type MiddlewareSource = MiddlewareHandler | Type<Middleware>;

export type VariableReader = (request: HonoRequest) => string;

/**
 * Where failures are logged: at `ERROR` those of the application, at `DEBUG` those that need no action, as the
 * application has handled it or the client has left.
 *
 * @internal
 */
export type FailureLog = (message: string, error: unknown, level: FailureLevel) => void;

/** @internal */
export type FailureLevel = "ERROR" | "DEBUG";
