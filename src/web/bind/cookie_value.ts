import type { Binder } from "./binder.ts";
import type { Bound, ValueOf, ValueOptions, ValueType } from "./value_type.ts";
import { failure } from "./value_binding.ts";
import { textBinder } from "./text_binder.ts";

/**
 * Binds a cookie. Its value is never repeated in an answer or a log.
 *
 * @param name of the cookie
 * @param type how the text is converted; `"string"` when left out
 * @param options `required`, `defaultValue`, `list`
 */
export function CookieValue<
  const T extends ValueType = "string",
  const O extends ValueOptions<ValueOf<T>> = Record<never, never>,
>(name: string, type?: T, options?: O): Binder<Bound<ValueOf<T>, O>>;
/** Binds its text, as the options have it. */
export function CookieValue<const O extends ValueOptions<string>>(
  name: string,
  options: O,
): Binder<Bound<string, O>>;
export function CookieValue<T>(
  name: string,
  type?: ValueType | ValueOptions<unknown>,
  options?: ValueOptions<unknown>,
): Binder<T> {
  const source = { in: "cookie", name } as const;
  return textBinder(source, type, options, ({ request }) => {
    const value = request.cookie(name);
    // What cannot be read was sent all the same: no default stands for it.
    if (value === undefined && isNamed(request.header("Cookie"), name)) {
      throw failure(source, "expected the characters of cookies (RFC 6265, 4.1.1)");
    }
    return value;
  });
}

function isNamed(header: string | undefined, name: string): boolean {
  const pairs = header?.split(";") ?? [];
  return pairs.some((pair) => pair.includes("=") && pair.split("=")[0]!.trim() === name);
}
