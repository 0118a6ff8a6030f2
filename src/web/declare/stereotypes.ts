import { type ClassContext, stereotype } from "../../container/mod.ts";
import { ADVICES, CONTROLLERS } from "./metadata.ts";

/**
 * Marks a class as a controller: a bean whose methods handle requests.
 *
 * @param name of the bean; by default that of the class, with a lower-case first letter
 */
export function RestController(
  name?: string,
): <C extends new () => object>(type: C, context: ClassContext<C>) => void {
  return stereotype("RestController", arguments, name, CONTROLLERS);
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
export function ControllerAdvice(name?: string): ReturnType<typeof RestController> {
  return stereotype("ControllerAdvice", arguments, name, ADVICES);
}
