import type { Context } from "hono";
import type { Access } from "./access.ts";
import type { FailureLog } from "./failure_log.ts";

/** Decides who may call what: asked for each route and endpoint once, while the application starts. */
export interface Decisions {
  /** Who may call a route, with what is not declared filled in. */
  accessOf(declared: Access | undefined): Access;
  /**
   * Who may call what has no declarations: an endpoint of an extension, or what was mounted on the Hono app.
   *
   * @param path as Hono's router has it
   * @param isProbe whether it is open where nothing is said of it
   */
  accessAt(path: string, isProbe?: boolean): PathAccess;
  /**
   * Told of the paths of all endpoints, which are answered before routes.
   *
   * @throws {MappingError} when something else than annotations says who may call a route
   */
  checkRoutes(endpoints: readonly string[]): void;
  /** Authenticates a request; `undefined` if no user is needed. */
  checkOf(access: Access, log: FailureLog): AccessCheck | undefined;
  /** Authenticates a request that may be anonymous. @throws {HttpError} as a check does, for invalid credentials */
  identifier(log: FailureLog): AccessCheck;
  /** Who asks, after a check. */
  userOf(context: Context): object | undefined;
  /** Whether who found out who asks was given Hono's context, and may have prepared headers there. */
  hasSeenContext(context: Context): boolean;
  /** How clients prove who they are, by name: Security Schemes of OpenAPI. */
  readonly schemes: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** The access to a path. */
export interface PathCheckOptions {
  readonly log: FailureLog;
  /** Whether it is a health probe. @default false */
  readonly isProbe?: boolean;
}

/**
 * Who may call what is at a path: the same for all requests, or by the path of each, below the application.
 *
 * @throws {HttpError} 400, from the function, for a path that can be read in more than one way
 * @internal
 */
export type PathAccess = Access | ((path: string) => Access);

/**
 * Lets a request pass, or throws what it is answered with: 401, 403, or 503 where it cannot be found out.
 *
 * @internal
 */
export type AccessCheck = (context: Context) => void | Promise<void>;
