import { addMetadata, defineComponent, requireCall, standardOnly } from "../../container/mod.ts";
import { ADVICES, CONTROLLERS } from "./metadata.ts";

/**
 * Makes a concrete class a controller: a bean whose methods answer requests.
 *
 * @param name of the bean; the name of the class with a lower-case first letter when left out
 */
export function RestController(
  name?: string,
): <C extends new () => object>(type: C, context: ClassDecoratorContext<C>) => void {
  requireCall("RestController", arguments);
  return (...args) => {
    standardOnly("RestController", args);
    const context = args[1];
    defineComponent(context, { name, stereotype: "RestController" });
    addMetadata(context, CONTROLLERS, true);
  };
}

/**
 * Makes a class an advice: a bean whose `@ExceptionHandler` methods answer what fails anywhere in the application, unless
 * the controller has a handler of its own for it.
 *
 * ```ts ignore
 * @ControllerAdvice()
 * class OrderErrors {
 *   @ExceptionHandler(OutOfStock)
 *   outOfStock(error: OutOfStock) {
 *     return problem(HttpStatus.CONFLICT, { type: "/problems/out-of-stock", sku: error.sku });
 *   }
 * }
 * ```
 *
 * @param name of the bean; the name of the class with a lower-case first letter when left out
 */
export function ControllerAdvice(
  name?: string,
): <C extends new () => object>(type: C, context: ClassDecoratorContext<C>) => void {
  requireCall("ControllerAdvice", arguments);
  return (...args) => {
    standardOnly("ControllerAdvice", args);
    const context = args[1];
    defineComponent(context, { name, stereotype: "ControllerAdvice" });
    addMetadata(context, ADVICES, true);
  };
}
