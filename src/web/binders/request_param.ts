import type { Binder } from "../binder.ts";
import { decodeQueryValue } from "../query.ts";
import { failure } from "../value_binding.ts";
import type { Bound, ValueOf, ValueOptions, ValueType } from "../value_type.ts";
import { textBinder } from "./_text_binder.ts";

/**
 * Binds a parameter of the query (reference, 4.1). A value that is missing, repeated without `list`, or not what
 * its type asks for is answered with 400.
 *
 * @param name of the parameter, as it is decoded
 * @param type how the text is converted; `"string"` when left out
 * @param options `required`, `defaultValue`, `list`
 */
export function RequestParam<
  const T extends ValueType = "string",
  const O extends ValueOptions<ValueOf<T>> = Record<never, never>,
>(name: string, type?: T, options?: O): Binder<Bound<ValueOf<T>, O>>;
/** With a type or options. */
export function RequestParam<const O extends ValueOptions<string>>(
  name: string,
  options: O,
): Binder<Bound<string, O>>;
export function RequestParam<T>(
  name: string,
  type?: ValueType | ValueOptions<unknown>,
  options?: ValueOptions<unknown>,
): Binder<T> {
  const source = { in: "query", name } as const;
  const decode = (found: string | readonly string[]) => {
    try {
      return typeof found === "string" ? decodeQueryValue(found) : found.map(decodeQueryValue);
    } catch (error) {
      throw failure(source, "its percent-encoding is malformed", error);
    }
  };
  return textBinder(source, type, options, ({ query }) => {
    const found = query.get(name);
    return found === undefined ? undefined : decode(found);
  });
}
