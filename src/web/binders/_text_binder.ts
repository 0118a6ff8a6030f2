import { type Bind, type Binder, binderOf } from "../binder.ts";
import { isValueType } from "../../text/mod.ts";
import { type FoundText, valueBinding, type ValueSettings } from "../value_binding.ts";
import type { ValueSource } from "../value_binding.ts";
import type { Exchange } from "../exchange.ts";
import type { ValueType } from "../value_type.ts";

/** What `RequestParam` and its like have in common: a name, a type that may be left out, options. */
export function textBinder<T>(
  source: ValueSource,
  typeOrOptions: ValueType | ValueSettings | undefined,
  options: ValueSettings | undefined,
  read: (exchange: Exchange) => FoundText | Promise<FoundText>,
): Binder<T> {
  const type = isValueType(typeOrOptions) ? typeOrOptions : "string";
  const settings = options ?? (isValueType(typeOrOptions) ? {} : typeOrOptions ?? {});
  const { list = false, defaultValue } = settings;
  const required = settings.required !== false && defaultValue === undefined;
  const convert = valueBinding(source, type, settings);
  const bind: Bind = (exchange) => {
    const found = read(exchange);
    return found instanceof Promise ? found.then(convert) : convert(found);
  };
  return binderOf({
    input: { in: source.in, name: source.name, required, list, type, defaultValue },
    compile: () => bind,
  });
}
