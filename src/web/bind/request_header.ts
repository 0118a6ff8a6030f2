import type { Binder } from "./binder.ts";
import type { Bound, ValueOf, ValueOptions, ValueType } from "./value_type.ts";
import { textBinder } from "./text_binder.ts";

/**
 * Binds a header of the request. Its value is never repeated in an answer or a log.
 *
 * @param name of the header, in any case
 * @param type how the text is converted; `"string"` when left out
 * @param options `required`, `defaultValue`, `list`
 */
export function RequestHeader<
  const T extends ValueType = "string",
  const O extends ValueOptions<ValueOf<T>> = Record<never, never>,
>(name: string, type?: T, options?: O): Binder<Bound<ValueOf<T>, O>>;
/** Binds its text, as the options have it. */
export function RequestHeader<const O extends ValueOptions<string>>(
  name: string,
  options: O,
): Binder<Bound<string, O>>;
export function RequestHeader<T>(
  name: string,
  type?: ValueType | ValueOptions<unknown>,
  options?: ValueOptions<unknown>,
): Binder<T> {
  return textBinder({ in: "header", name }, type, options, ({ context }) => {
    return context.req.raw.headers.get(name) ?? undefined;
  });
}
