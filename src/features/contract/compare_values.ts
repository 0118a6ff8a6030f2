import { patternOf } from "../../text/mod.ts";
import type { SchemaReader } from "./reader.ts";
import {
  isRecord,
  LOWER,
  sameJson,
  type SchemaForm,
  type TypeName,
  typeOf,
} from "./schema_form.ts";

export type Report = (keyword: string, ours: unknown, theirs: unknown) => void;

export function limitsFit(sub: SchemaForm, sup: SchemaForm, report: Report): void {
  for (const [keyword, limit] of sup.limits) {
    if (!subjectsOf(keyword).some((type) => sub.types.has(type))) continue;
    // Readers of JSON know no other integers (RFC 8259, 6), whether or not a schema says so.
    const edge = LOWER.includes(keyword) ? limit : -limit;
    if (!sub.types.has("fraction") && edge <= Number.MIN_SAFE_INTEGER) continue;
    const fits = sub.values
      ? sub.values.every((value) => valueKeepsTo(value, keyword, limit))
      : keepsTo(sub, keyword, limit);
    if (!fits) report(keyword, sub.values ?? sub.limits.get(keyword), limit);
  }
}

function subjectsOf(keyword: string): readonly TypeName[] {
  if (keyword.endsWith("Length")) return ["string"];
  if (keyword.endsWith("Items")) return ["array"];
  return keyword.endsWith("Properties") ? ["object"] : ["integer", "fraction"];
}

export function textsFit(sub: SchemaForm, sup: SchemaForm, report: Report): void {
  const isText = sub.types.has("string");
  const isNumber = sub.types.has("integer") || sub.types.has("fraction");
  const patterns = new Set(sup.patterns).difference(new Set(sub.patterns));
  const strange = [...patterns].filter((pattern) =>
    !sub.values?.every((value) => matches(value, pattern))
  );
  if (isText && strange.length > 0) {
    report("pattern", textsOf(sub.patterns), textsOf(sup.patterns));
  }
  if ((isText || isNumber) && !new Set(sup.formats).isSubsetOf(new Set(sub.formats))) {
    report("format", textsOf(sub.formats), textsOf(sup.formats));
  }
  const multiples = sub.types.has("fraction") ? sub.multiples : [...sub.multiples, 1];
  const misses = sup.multiples.some((one) => !multiples.some((given) => given % one === 0));
  if (isNumber && misses) report("multipleOf", textsOf(sub.multiples), textsOf(sup.multiples));
  if (sub.types.has("array") && sup.unique && !sub.unique) report("uniqueItems", false, true);
}

function textsOf(values: readonly unknown[]): string {
  return values.join(" and ") || "none";
}

export function typeNames(types: ReadonlySet<TypeName>): string {
  const names = [...types].map((type) => type === "fraction" ? "number" : type)
    .filter((type) => type !== "integer" || !types.has("fraction"));
  return types.size === 7 ? "any" : names.sort().join(" or ");
}

type Read = readonly [SchemaForm, SchemaReader];

/** Whether certainly no value fits both: by type, by value, or by a field that tells objects apart. */
export function apart([one, reader]: Read, [other, otherReader]: Read): boolean {
  const shared = one.types.intersection(other.types);
  if (shared.size === 0) return true;
  if (one.values && other.values) return haveNoneInCommon(one.values, other.values);
  if (shared.size > 1 || !shared.has("object")) return false;
  return [...one.required.intersection(other.required)].some((name) => {
    const { values } = reader.form(one.properties.get(name) ?? true);
    const { values: others } = otherReader.form(other.properties.get(name) ?? true);
    return values !== undefined && others !== undefined && haveNoneInCommon(values, others);
  });
}

function haveNoneInCommon(values: readonly unknown[], others: readonly unknown[]): boolean {
  return !values.some((value) => others.some((other) => sameJson(value, other)));
}

export function withPossibleValues(form: SchemaForm): SchemaForm {
  if (form.values === undefined) return form;
  const values = form.values.filter((value) =>
    form.types.has(typeOf(value)) &&
    [...form.limits].every(([keyword, limit]) => valueKeepsTo(value, keyword, limit)) &&
    form.patterns.every((pattern) => matches(value, pattern))
  );
  return { ...form, values };
}

export function unionParts(form: SchemaForm): readonly SchemaForm[] {
  const values = form.values ?? valuesOf(form.types);
  if (values !== undefined) {
    return values.map((value) => {
      const types = form.types.intersection(new Set([typeOf(value)]));
      return { ...form, types, values: [value] };
    });
  }
  const groups = Map.groupBy(form.types, (type) => type === "fraction" ? "integer" : type);
  return [...groups.values()].map((types) => ({ ...form, types: new Set(types) }));
}

export function valuesOf(types: ReadonlySet<TypeName>): readonly unknown[] | undefined {
  const isSmall = types.isSubsetOf(new Set(["null", "boolean"]));
  return isSmall
    ? [...types].flatMap((type) => type === "null" ? [null] : [true, false])
    : undefined;
}

function keepsTo({ limits, required }: SchemaForm, keyword: string, limit: number): boolean {
  const [base, exclusive, sign] = LOWER.includes(keyword)
    ? ["minimum", "exclusiveMinimum", 1]
    : ["maximum", "exclusiveMaximum", -1];
  const atLeast = (given: number | undefined, strictly = false) =>
    given !== undefined && (strictly ? sign * given > sign * limit : sign * given >= sign * limit);
  if (/imum$/i.test(keyword)) {
    return atLeast(limits.get(base), keyword === exclusive) || atLeast(limits.get(exclusive));
  }
  return atLeast(limits.get(keyword)) ||
    sign === 1 && atLeast(keyword === "minProperties" ? required.size : 0);
}

function valueKeepsTo(value: unknown, keyword: string, limit: number): boolean {
  if (!subjectsOf(keyword).includes(typeOf(value))) return true;
  const size = sizeOf(value);
  const [less, more] = LOWER.includes(keyword) ? [limit, size] : [size, limit];
  return keyword.startsWith("exclusive") ? less < more : less <= more;
}

function sizeOf(value: unknown): number {
  if (typeof value === "number") return value;
  if (typeof value === "string" || Array.isArray(value)) return [...value].length;
  return isRecord(value) ? Object.keys(value).length : 0;
}

function matches(value: unknown, pattern: string): boolean {
  return typeof value !== "string" || patternOf(pattern)?.test(value) === true;
}
