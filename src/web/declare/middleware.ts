import type { Context, MiddlewareHandler, Next } from "hono";
import {
  addMetadata,
  allMetadata,
  type ApplicationContext,
  CIRCULAR,
  type ClassContext,
  type Constructor,
  decorator,
  type MethodContext,
  parametersOf,
  type Type,
} from "../../container/mod.ts";
import { MIDDLEWARE } from "./metadata.ts";
import { MappingError } from "../errors.ts";
import type { Middleware, MiddlewareSource } from "../types.ts";

export type MiddlewareResolver = (source: MiddlewareSource) => MiddlewareHandler;

/** The classes among `sources` and in `@Use` of the components, each once. */
export function middlewareClasses(
  components: readonly Constructor[],
  sources: readonly MiddlewareSource[],
): readonly Type<Middleware>[] {
  const used = components.flatMap((type) =>
    allMetadata(type, MIDDLEWARE).flatMap(({ middleware }) => middleware)
  );
  return [...new Set([...sources, ...used].filter(isClass))];
}

/** @throws {MappingError} from the resolver, when a bean has no `handle` or is a prototype */
export function middlewareResolver(context: ApplicationContext): MiddlewareResolver {
  const resolved = new Map<Type<Middleware>, MiddlewareHandler>();
  return (source) => {
    if (!isClass(source)) return source;
    const handler = resolved.get(source) ?? handlerOf(source, context);
    resolved.set(source, handler);
    return handler;
  };
}

/** For descriptions of routes: builds no bean. A class gives its name, and must never run. */
export const unresolved: MiddlewareResolver = (source) => source as MiddlewareHandler;

/** @throws {MappingError} for anything but a function or a class; `place` ends the message */
export function checkMiddleware(sources: readonly MiddlewareSource[], place: string): void {
  for (const source of sources) {
    // A function with three parameters expects the `response` of Express.
    if (typeof source === "function" && (isClass(source) || source.length < 3)) continue;
    const name = (source as { readonly name?: string })?.name || source;
    const expected = "expected a function (context, next), or a class with handle(context, next)";
    const hint = source === undefined ? CIRCULAR : "";
    throw new MappingError(`Cannot use '${name}' as middleware of ${place}: ${expected}${hint}`);
  }
}

/** `prototype` is read-only on classes only. */
function isClass(source: MiddlewareSource): source is Type<Middleware> {
  return Object.getOwnPropertyDescriptor(source, "prototype")?.writable === false;
}

function handlerOf(type: Type<Middleware>, context: ApplicationContext): MiddlewareHandler {
  const { name } = type;
  const refuse = (reason: string): never => {
    throw new MappingError(`Cannot use '${name}' as middleware: ${reason}`);
  };
  for (const bean of context.beans.values()) {
    if (bean.type !== type || bean.scope === "singleton") continue;
    refuse('it must be a singleton; remove @Scope("prototype")');
  }
  const reason = parametersOf(type);
  if (reason && !context.has(type)) refuse(reason);
  const middleware = context.get(type);
  // Neither JavaScript nor overridden beans have a type check.
  if (typeof middleware.handle !== "function" || middleware.handle.length > 2) {
    refuse("expected a method handle(context, next)");
  }
  const handler = (context: Context, next: Next) =>
    middleware.handle(context, next) as ReturnType<MiddlewareHandler>;
  return Object.defineProperty(handler, "name", { value: name });
}

/**
 * Adds Hono middleware, or {@linkcode Middleware} beans, to a handler or to all handlers of a class. It runs for every method
 * of their paths, also before automatic responses (OPTIONS, 405, 406, 415); a preflight runs the middleware of the handler
 * that `Access-Control-Request-Method` names.
 *
 * ```ts ignore
 * @RestController()
 * @Use(bearerAuth({ token }))
 * class UserController { … }
 * ```
 *
 * Several run from the top down, and those of the class before those of the method.
 *
 * @throws {MappingError} for anything but a function or a class with `handle(context, next)`
 */
export function Use(
  ...middleware: MiddlewareSource[]
): (target: unknown, context: ClassContext | MethodContext) => void {
  return decorator("Use", middleware, (context) => {
    checkMiddleware(middleware, `'${String(context.name)}'`);
    const handler = context.kind === "method" ? String(context.name) : undefined;
    addMetadata(context, MIDDLEWARE, { handler, middleware });
  }, "…");
}
