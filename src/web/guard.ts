import type { Context } from "hono";
import type { Access } from "./access.ts";
import type { FailureLog } from "./failure_log.ts";

/**
 * Decides who may call what: asked for each route and endpoint once, while the application starts.
 *
 * @internal
 */
export interface Guard {
  /** Who may call a route, with what is not declared filled in. */
  accessOf(declared: Access | undefined): Access;
  /**
   * Who may call what has no declarations: an endpoint of an extension, or what was mounted on the Hono app.
   *
   * @throws {HttpError} 400 for a path that can be read in more than one way
   */
  accessAt(path: string): Access;
  /** Finds out who asks; `undefined` where nobody has to. */
  checkOf(access: Access, log: FailureLog): AccessCheck | undefined;
  /** Finds out who asks where nobody has to be known. @throws {HttpError} as a check does, for wrong credentials */
  identifier(log: FailureLog): AccessCheck;
  /** Who asks, after a check. */
  userOf(context: Context): object | undefined;
  /** Whether who found out who asks was given Hono's context, and may have prepared headers there. */
  hasSeenContext(context: Context): boolean;
  /** How clients prove who they are, by name: Security Schemes of OpenAPI. */
  readonly schemes: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/**
 * Lets a request pass, or throws what it is answered with: 401, 403, or 503 where it cannot be found out.
 *
 * @internal
 */
export type AccessCheck = (context: Context) => void | Promise<void>;
