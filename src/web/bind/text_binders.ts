import { isTypeName, isValueType } from "../../schema/mod.ts";
import { elementsOf, followedBy } from "../../text/mod.ts";
import { type Bind, type Binder, binderOf, type Exchange, refuseDeclared } from "./binder.ts";
import { failure, sourceText, type ValueSource } from "./binding_error.ts";
import { PLACES } from "./places.ts";
import { type FoundText, valueBinding, type ValueSettings } from "./value_binding.ts";
import type { Bound, ValueOf, ValueOptions, ValueType } from "./value_type.ts";

/** @internal */
export interface TextBinder {
  <
    const T extends ValueType = "string",
    const O extends ValueOptions<ValueOf<T>> = Record<never, never>,
  >(name: string, type?: T, options?: O): Binder<Bound<ValueOf<T>, O>>;
  <const O extends ValueOptions<string>>(name: string, options: O): Binder<Bound<string, O>>;
}

export type ValueParameters = readonly [
  type?: ValueType | ValueSettings,
  options?: ValueSettings,
];

export function textBinder(
  source: ValueSource,
  read: (exchange: Exchange, list: boolean) => FoundText | Promise<FoundText>,
  ...[typeOrOptions, options]: ValueParameters
): Binder<never> {
  const hasType = isValueType(typeOrOptions) || typeof typeOrOptions === "function";
  const type = requireType(source, hasType ? typeOrOptions : "string");
  const settings = options ?? (hasType ? {} : typeOrOptions ?? {});
  if (typeof settings !== "object") {
    refuseDeclared(sourceText(source), "options such as { defaultValue: 5 }", settings);
  }
  const { list = false, defaultValue } = settings;
  const required = settings.required !== false && defaultValue === undefined;
  const convert = valueBinding(source, type, settings);
  const bind: Bind = (exchange) => followedBy(read(exchange, list), convert);
  return binderOf({
    input: { in: source.in, name: source.name, required, list, type, defaultValue },
    compile: () => bind,
  });
}

/** JavaScript has no type check. @throws {MappingError} */
export function requireName({ in: place, name }: ValueSource): void {
  if (typeof name === "string") return;
  refuseDeclared(`a ${PLACES[place].label}`, 'its name first, such as "id"', name);
}

function requireType(source: ValueSource, type: unknown): ValueType {
  requireName(source);
  const isKnown = typeof type === "string" ? isTypeName(type) : isValueType(type);
  if (isKnown) return type as ValueType;
  const expected = 'a type such as "int", a list of strings or a schema';
  return refuseDeclared(sourceText(source), expected, type);
}

/**
 * Binds the path variable `{name}`. Text that cannot be converted gets 400.
 *
 * @param name a variable in the path of the mapping or, with `{ in: "class" }`, in the prefix of the class
 * @param type how the text is converted; `"string"` by default
 */
export function PathVariable<const T extends ValueType = "string">(
  name: string,
  type: T | undefined,
  options: { readonly in: "class" },
): Binder<ValueOf<T>>;
/** Binds a variable of the path of the mapping; the compiler checks its name. */
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
  const source = { in: "path", name } as const;
  const bind = valueBinding(source, requireType(source, type), {});
  return binderOf({
    input: { in: "path", name, required: true, list: false, type },
    compile(site) {
      const read = site.variable(name, options.in ?? "method");
      return (exchange) => bind(read(exchange));
    },
  });
}

/**
 * Binds a request header. Its value never appears in responses or logs.
 *
 * @param type how the text is converted; `"string"` by default
 * @param options `required`, `defaultValue`, `list`
 */
export const RequestHeader: TextBinder = (
  name: string,
  ...given: ValueParameters
): Binder<never> => {
  const read = (exchange: Exchange, list: boolean) => {
    const found = exchange.header(name) ?? undefined;
    return list && found !== undefined ? elementsOf(found) : found;
  };
  return textBinder({ in: "header", name }, read, ...given);
};

/**
 * Binds a cookie. Its value never appears in responses or logs.
 *
 * @param type how the text is converted; `"string"` by default
 * @param options `required`, `defaultValue`, `list`
 */
export const CookieValue: TextBinder = (name: string, ...given: ValueParameters): Binder<never> => {
  const source = { in: "cookie", name } as const;
  const read = ({ request }: Exchange, list: boolean) => {
    const value = request.cookie(name);
    // An unreadable cookie was still sent: the default does not apply.
    const pairs = value === undefined ? request.header("Cookie")?.split(";") : undefined;
    if (pairs?.some((pair) => pair.includes("=") && pair.split("=")[0]!.trim() === name)) {
      throw failure(source, "expected only characters that are valid in cookies (RFC 6265, 4.1.1)");
    }
    return list && value ? value.split(",") : value;
  };
  return textBinder(source, read, ...given);
};
