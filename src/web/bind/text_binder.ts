import { type Bind, type Binder, binderOf } from "./binder.ts";
import { isTypeName, isValueType } from "../../schema/mod.ts";
import {
  type FoundText,
  PLACES,
  valueBinding,
  type ValueSettings,
  type ValueSource,
} from "./value_binding.ts";
import type { Exchange } from "./exchange.ts";
import type { ValueType } from "./value_type.ts";
import { refuseDeclared } from "./declared.ts";

/** What `RequestParam` and its like have in common: a name, a type that may be left out, options. */
export function textBinder<T>(
  source: ValueSource,
  typeOrOptions: ValueType | ValueSettings | undefined,
  options: ValueSettings | undefined,
  read: (exchange: Exchange) => FoundText | Promise<FoundText>,
): Binder<T> {
  const type = isValueType(typeOrOptions) ? typeOrOptions : "string";
  const isWrong = typeof type === "string" && !isTypeName(type);
  if (isWrong || typeof typeOrOptions === "function" && !isValueType(typeOrOptions)) {
    const what = `the ${PLACES[source.in]} '${source.name}'`;
    refuseDeclared(what, 'a type such as "int", a list of texts or a schema', typeOrOptions);
  }
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
