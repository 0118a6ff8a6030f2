import { addMetadata, defineComponent, requireCall, standardOnly } from "../../container/mod.ts";
import { CONTROLLERS } from "./metadata.ts";

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
