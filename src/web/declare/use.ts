import { addMetadata, requireCall, standardOnly } from "../../container/mod.ts";
import { MIDDLEWARE } from "./metadata.ts";
import { checkMiddleware } from "./middleware.ts";
import type { MiddlewareSource } from "../types.ts";

/**
 * Puts Hono middleware, or beans that are {@linkcode Middleware}, in front of a handler, or of every handler of a class. It runs for every method of
 * the paths that it covers: before the automatic answers too (OPTIONS, 405, 406, 415), and a preflight takes
 * the middleware of the handler that `Access-Control-Request-Method` names.
 *
 * ```ts ignore
 * @RestController()
 * @Use(cors({ origin: "https://example.com" }))
 * class UserController { … }
 * ```
 *
 * Several on one class or method run from the top down.
 *
 * @param middleware runs from left to right, that of the class before that of the method
 * @throws {MappingError} for what is neither a function nor a class with `handle(context, next)`
 */
export function Use(
  ...middleware: MiddlewareSource[]
): (target: unknown, context: ClassDecoratorContext | ClassMethodDecoratorContext) => void {
  requireCall("Use", middleware, "…");
  return (...args) => {
    standardOnly("Use", args);
    const context = args[1];
    checkMiddleware(middleware, `'${String(context.name)}'`);
    const handler = context.kind === "method" ? String(context.name) : undefined;
    addMetadata(context, MIDDLEWARE, { handler, middleware });
  };
}
