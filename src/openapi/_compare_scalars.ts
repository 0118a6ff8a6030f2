import type { SchemaForm, TypeName } from "./schema_form.ts";
import { keepsTo, matches, SUBJECT, valueKeepsTo } from "./_schema_values.ts";

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
