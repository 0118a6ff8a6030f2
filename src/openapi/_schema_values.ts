import { patternOf } from "../text/mod.ts";
import {
  isRecord,
  LOWER,
  sameJson,
  type SchemaForm,
  type SchemaReader,
  type TypeName,
  typeOf,
  UPPER,
} from "./schema_form.ts";

/** Types that a limit speaks of. */
export const SUBJECT: Readonly<Record<string, readonly TypeName[]>> = Object.fromEntries(
  [...LOWER, ...UPPER].map((keyword) => [
    keyword,
    keyword.endsWith("Length")
      ? ["string"]
      : keyword.endsWith("Items")
      ? ["array"]
      : keyword.endsWith("Properties")
      ? ["object"]
      : ["integer", "fraction"],
  ]),
);

type Read = readonly [SchemaForm, SchemaReader];

/** Whether it is certain that no value fits both: by type, by value, or by a field that tells objects apart. */
export function apart([one, reader]: Read, [other, otherReader]: Read): boolean {
  const shared = one.types.intersection(other.types);
  if (shared.size === 0) return true;
  if (one.values && other.values) return areApart(one.values, other.values);
  if (shared.size > 1 || !shared.has("object")) return false;
  return [...one.required.intersection(other.required)].some((name) => {
    const { values } = reader.form(one.properties.get(name) ?? true);
    const { values: others } = otherReader.form(other.properties.get(name) ?? true);
    return values !== undefined && others !== undefined && areApart(values, others);
  });
}

function areApart(values: readonly unknown[], others: readonly unknown[]): boolean {
  return !values.some((value) => others.some((other) => sameJson(value, other)));
}

/** Leaves out values that the rest of the form rules out. */
export function withPossibleValues(form: SchemaForm): SchemaForm {
  if (form.values === undefined) return form;
  const values = form.values.filter((value) =>
    [...form.types].some((type) => typeOf(value) === type) &&
    [...form.limits].every(([keyword, limit]) => valueKeepsTo(value, keyword, limit)) &&
    form.patterns.every((pattern) => matches(value, pattern))
  );
  return { ...form, values };
}

/** Values, or types, that each may fit another alternative. */
export function partsOf(form: SchemaForm): readonly SchemaForm[] {
  const values = form.values ?? valuesOf(form.types);
  if (values !== undefined) {
    return values.map((value) => {
      const types = [...form.types].filter((type) => typeOf(value) === type);
      return { ...form, types: new Set(types), values: [value] };
    });
  }
  if (form.types.has("integer") && form.types.has("fraction")) {
    const rest = [...form.types].filter((type) => type !== "integer" && type !== "fraction");
    return [
      { ...form, types: new Set<TypeName>(["integer", "fraction"]) },
      ...rest.map((type) => ({ ...form, types: new Set([type]) })),
    ];
  }
  return [...form.types].map((type) => ({ ...form, types: new Set([type]) }));
}

/** All values of types that have few. */
export function valuesOf(types: ReadonlySet<TypeName>): readonly unknown[] | undefined {
  const values: unknown[] = [];
  for (const type of types) {
    if (type === "null") values.push(null);
    else if (type === "boolean") values.push(true, false);
    else return undefined;
  }
  return values;
}

/** Whether all values of the form keep to the limit. */
export function keepsTo(form: SchemaForm, keyword: string, limit: number): boolean {
  const { limits, required } = form;
  const [base, exclusive] = LOWER.includes(keyword)
    ? ["minimum", "exclusiveMinimum"]
    : ["maximum", "exclusiveMaximum"];
  const sign = base === "minimum" ? 1 : -1;
  const atLeast = (given: number | undefined, strictly = false) =>
    given !== undefined && (strictly ? sign * given > sign * limit : sign * given >= sign * limit);
  if (/imum$/i.test(keyword)) {
    return atLeast(limits.get(base), keyword === exclusive) || atLeast(limits.get(exclusive));
  }
  if (atLeast(limits.get(keyword))) return true;
  return sign === 1 && atLeast(keyword === "minProperties" ? required.size : 0);
}

/** Whether a single value keeps to it. */
export function valueKeepsTo(value: unknown, keyword: string, limit: number): boolean {
  if (typeof value === "number" && /imum$/i.test(keyword)) {
    const strictly = keyword.startsWith("exclusive");
    const [less, more] = LOWER.includes(keyword) ? [limit, value] : [value, limit];
    return strictly ? less < more : less <= more;
  }
  const size = typeof value === "string" && keyword.endsWith("Length")
    ? [...value].length
    : Array.isArray(value) && keyword.endsWith("Items")
    ? value.length
    : isRecord(value) && keyword.endsWith("Properties")
    ? Object.keys(value).length
    : undefined;
  return size === undefined || (LOWER.includes(keyword) ? size >= limit : size <= limit);
}

/** Whether a text matches; nothing is known of an expression of another language. */
export function matches(value: unknown, pattern: string): boolean {
  return typeof value !== "string" || patternOf(pattern)?.test(value) === true;
}
