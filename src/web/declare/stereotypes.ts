import {
  addMetadata,
  type ClassContext,
  defineComponent,
  type MetadataKey,
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
  return stereotype("RestController", CONTROLLERS, name);
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
): ReturnType<typeof RestController> {
  requireCall("ControllerAdvice", arguments);
  return stereotype("ControllerAdvice", ADVICES, name);
}

function stereotype(
  decorator: string,
  key: MetadataKey<true>,
  name: string | undefined,
): ReturnType<typeof RestController> {
  return (...args) => {
    standardOnly(decorator, args);
    defineComponent(args[1], { name, stereotype: decorator });
    addMetadata(args[1], key, true);
  };
}
