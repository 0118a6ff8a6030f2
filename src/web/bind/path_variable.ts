import { type Binder, binderOf } from "./binder.ts";
import { valueBinding } from "./value_binding.ts";
import type { ValueOf, ValueType } from "./value_type.ts";

/**
 * Binds the `{name}` segment of the path. A text that does not convert is answered with 400.
 *
 * @param name a variable of the mapping's path, or, with `{ in: "class" }`, of the prefix of the class
 * @param type how the text is converted; `"string"` when left out
 */
export function PathVariable<const T extends ValueType = "string">(
  name: string,
  type: T | undefined,
  options: { readonly in: "class" },
): Binder<ValueOf<T>>;
/** Binds a variable of the mapping's own path, which the compiler looks for there. */
export function PathVariable<const N extends string, const T extends ValueType = "string">(
  name: N,
  type?: T,
  options?: { readonly in?: "method" },
): Binder<ValueOf<T>, N>;
export function PathVariable(
  name: string,
  type: ValueType = "string",
  options: { readonly in?: "method" | "class" } = {},
): Binder<unknown, string> {
  const bind = valueBinding({ in: "path", name }, type, {});
  return binderOf({
    input: { in: "path", name, required: true, list: false, type },
    compile(site) {
      const read = site.variable(name, options.in ?? "method");
      return (exchange) => bind(read(exchange.context.req));
    },
  });
}
