import { addMetadata, requireCall, standardOnly, type Type } from "../../container/mod.ts";
import type { HttpRequest } from "../../http/mod.ts";
import { DeclaredErrorHandlers } from "./error_handlers.ts";
import { MappingError } from "../errors.ts";
import { handlerName } from "../declare/handler_name.ts";
import { EXCEPTIONS } from "../declare/metadata.ts";

/**
 * Makes a method answer errors of these classes and of those that extend them: in a `@ControllerAdvice()` those of the
 * whole application, in a controller those of its own routes, which count first. In one class the handler of the nearest
 * class of the error is taken.
 *
 * ```ts ignore
 * @ExceptionHandler(OutOfStock, SoldOut)
 * unavailable(error: OutOfStock | SoldOut, request: HttpRequest) { … }
 * ```
 *
 * The method is given the error, whose type has to take all of the classes, and the request. What it returns is answered
 * as what a handler returns; where that names no status, with the one that the error itself stands for: that of an
 * `HttpError`, the `[httpStatus]` of its class, or 500. What it throws is logged, and the next place is asked; throwing
 * the same error passes it on.
 *
 * @param types classes of errors, one or more
 * @throws {MappingError} while the class is defined, when there is none, one is no class of errors, or the method is static
 * or private
 */
export function ExceptionHandler<const C extends readonly [Type<Error>, ...Type<Error>[]]>(
  ...types: C
): <This>(
  method: (this: This, error: InstanceType<C[number]>, request: HttpRequest) => unknown,
  context: ClassMethodDecoratorContext<This>,
) => void {
  requireCall("ExceptionHandler", types);
  return (...args) => {
    standardOnly("ExceptionHandler", args);
    const handler = handlerName("ExceptionHandler", args[1] as ClassMethodDecoratorContext);
    const odd = types.findIndex((type) => !isErrorClass(type));
    if (types.length === 0 || odd !== -1) throw refused(handler, types.length > 0, types[odd]);
    addMetadata(args[1], EXCEPTIONS, {
      handler,
      types,
      handlersOf: (type, bean) => new DeclaredErrorHandlers(type, bean),
    });
  };
}

function isErrorClass(type: unknown): boolean {
  return type === Error || typeof type === "function" && type.prototype instanceof Error;
}

function refused(handler: string, hasTypes: boolean, odd: unknown): MappingError {
  const found = !hasTypes
    ? "none"
    : typeof odd === "function"
    ? `'${odd.name}', which does not extend Error`
    : odd === undefined
    ? "undefined; a module that imports this one has not defined its classes yet"
    : `a value of type ${typeof odd}`;
  return new MappingError(
    `Cannot apply @ExceptionHandler to '${handler}': expected one or more classes of errors, found ${found}`,
  );
}
