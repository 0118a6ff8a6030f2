import {
  addMetadata,
  type ClassContext,
  defineComponent,
  requireCall,
  standardOnly,
} from "../../container/mod.ts";
import { ADVICES, CONTROLLERS } from "./metadata.ts";

/**
 * Marks a class as a controller: a bean whose methods handle requests.
 *
 * @param name of the bean; by default that of the class, with a lower-case first letter
 */
export function RestController(
  name?: string,
): <C extends new () => object>(type: C, context: ClassContext<C>) => void {
  requireCall("RestController", arguments);
  return (...args) => {
    standardOnly("RestController", args);
    const context = args[1];
    defineComponent(context, { name, stereotype: "RestController" });
    addMetadata(context, CONTROLLERS, true);
  };
}

/**
 * Marks a class as an advice: a bean whose `@ExceptionHandler` methods handle errors of the whole application, after those
 * of the controller.
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
 * @param name of the bean; by default that of the class, with a lower-case first letter
 */
export function ControllerAdvice(
  name?: string,
): <C extends new () => object>(type: C, context: ClassContext<C>) => void {
  requireCall("ControllerAdvice", arguments);
  return (...args) => {
    standardOnly("ControllerAdvice", args);
    const context = args[1];
    defineComponent(context, { name, stereotype: "ControllerAdvice" });
    addMetadata(context, ADVICES, true);
  };
}
