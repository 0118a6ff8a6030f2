import { patternOf } from "../text/mod.ts";
import type { SchemaReader } from "./reader.ts";
import {
  isRecord,
  LOWER,
  sameJson,
  type SchemaForm,
  type TypeName,
  typeOf,
  UPPER,
} from "./schema_form.ts";

/** Takes what does not fit: a keyword, and what it says of the one form and of the other. */
export type Report = (keyword: string, ours: unknown, theirs: unknown) => void;

/** Whether the values of the one form keep to the limits of the other. */
export function limitsFit(sub: SchemaForm, sup: SchemaForm, report: Report): void {
  for (const [keyword, limit] of sup.limits) {
    if (!SUBJECT[keyword]!.some((type) => sub.types.has(type))) continue;
    const fits = sub.values
      ? sub.values.every((value) => valueKeepsTo(value, keyword, limit))
      : keepsTo(sub, keyword, limit);
    if (!fits) report(keyword, sub.values ?? sub.limits.get(keyword), limit);
  }
}

/** Whether they keep to its patterns, formats and multiples. */
export function textsFit(sub: SchemaForm, sup: SchemaForm, report: Report): void {
  const isText = sub.types.has("string");
  const isNumber = sub.types.has("integer") || sub.types.has("fraction");
  const lost = (ours: readonly string[], theirs: readonly string[]) =>
    theirs.filter((one) => !ours.includes(one));
  const strange = lost(sub.patterns, sup.patterns).filter((pattern) =>
    !sub.values?.every((value) => matches(value, pattern))
  );
  if (isText && strange.length > 0) {
    report("pattern", textsOf(sub.patterns), textsOf(sup.patterns));
  }
  if ((isText || isNumber) && lost(sub.formats, sup.formats).length > 0) {
    report("format", textsOf(sub.formats), textsOf(sup.formats));
  }
  const multiples = sub.types.has("fraction") ? sub.multiples : [...sub.multiples, 1];
  const misses = sup.multiples.some((one) => !multiples.some((given) => given % one === 0));
  if (isNumber && misses) report("multipleOf", textsOf(sub.multiples), textsOf(sup.multiples));
  if (sub.types.has("array") && sup.unique && !sub.unique) {
    report("uniqueItems", false, true);
  }
}

/** Types in words. */
export function typeText(types: ReadonlySet<TypeName>): string {
  const names = [...types].map((type) => type === "fraction" ? "number" : type)
    .filter((type) => type !== "integer" || !types.has("fraction"));
  return names.length === 7 || types.size === 7 ? "any" : names.sort().join(" or ");
}

function textsOf(values: readonly unknown[]): string {
  return values.length === 0 ? "none" : values.join(" and ");
}

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
