import type { MiddlewareHandler } from "hono";
import type { Type } from "../container/mod.ts";
import type { HttpRequest, HttpStatus, ResponseEntity } from "../http/mod.ts";
import type { Binder } from "./binder.ts";
import type { Pattern } from "./pattern.ts";

/** The methods that a handler can be mapped to; HEAD is answered by the handler of GET. */
export type HttpMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";

/** One handler as it is served: everything that was declared about it, resolved. */
export interface Route {
  /** The method it answers. */
  readonly method: HttpMethod;
  /** The whole path: context path, prefix of the class, path of the method. */
  readonly pattern: Pattern;
  /** How many segments of the pattern come before the method's own path. */
  readonly prefixSegments: number;
  /** Bean name of the controller. */
  readonly controller: string;
  /** The class of the controller. */
  readonly type: Type<unknown>;
  /** Name of the method. */
  readonly handler: string;
  /** In the order of the handler's parameters. */
  readonly binders: readonly Binder<unknown, string>[];
  /** Media types of the bodies that it takes; empty when any. */
  readonly consumes: readonly string[];
  /** Media types that it answers with; empty when any. */
  readonly produces: readonly string[];
  /** Bytes of a body, in place of those of the application. */
  readonly maxBodySize?: number;
  /** Status of what it returns, unless that says its own. */
  readonly status?: HttpStatus;
  /** Of the class first, then of the method. */
  readonly middleware: readonly MiddlewareHandler[];
}

/**
 * Answers everything that no handler answered: the bean named `errorController` (reference, 7.1).
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
