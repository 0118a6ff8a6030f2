import { ALL, LOWER, sameJson, type Schema, type SchemaForm, schemasOf } from "./_form.ts";

/** A schema that asks for both. */
export function both(one: Schema, other: Schema): Schema {
  if (one === true) return other;
  if (other === true) return one;
  if (one === false || other === false) return false;
  const parts = [one, other].flatMap((schema) =>
    Object.keys(schema).length === 1 && schema.allOf ? schemasOf(schema.allOf) : [schema]
  );
  const different = new Map(parts.map((part) => [JSON.stringify(part), part]));
  const [only, ...more] = different.values();
  return more.length === 0 ? only! : { allOf: [...different.values()] };
}

/** The form of what both ask for. */
export function merged(one: SchemaForm, other: SchemaForm): SchemaForm {
  const values = one.values && other.values
    ? one.values.filter((value) => other.values!.some((known) => sameJson(value, known)))
    : one.values ?? other.values;
  const limits = new Map(one.limits);
  for (const [keyword, limit] of other.limits) {
    const known = limits.get(keyword) ?? limit;
    limits.set(keyword, (LOWER.includes(keyword) ? Math.max : Math.min)(known, limit));
  }
  const places = Math.max(one.prefix.length, other.prefix.length);
  const names = new Set([...one.properties.keys(), ...other.properties.keys()]);
  const at = ({ prefix, items }: SchemaForm, index: number) => prefix[index] ?? items;
  const of = ({ properties, additional }: SchemaForm, name: string) =>
    properties.get(name) ?? additional;
  return {
    types: one.types.intersection(other.types),
    ...(values && { values }),
    limits,
    patterns: union(one.patterns, other.patterns),
    formats: union(one.formats, other.formats),
    multiples: union(one.multiples, other.multiples),
    unique: one.unique || other.unique,
    prefix: Array.from({ length: places }, (_, index) => both(at(one, index), at(other, index))),
    items: both(one.items, other.items),
    properties: new Map([...names].map((name) => [name, both(of(one, name), of(other, name))])),
    required: one.required.union(other.required),
    additional: both(one.additional, other.additional),
    groups: [...one.groups, ...other.groups],
    others: [...one.others, ...other.others],
  };
}

/** Whether any value fits. */
export function asksNothing(form: SchemaForm): boolean {
  const { types, values, limits, properties, required, items, additional, unique } = form;
  const { patterns, formats, multiples, prefix, groups, others } = form;
  return types.size === ALL.size && values === undefined && items === true &&
    additional === true && !unique && limits.size + properties.size + required.size === 0 &&
    [patterns, formats, multiples, prefix, groups, others].every(({ length }) => length === 0);
}

/** What `{}` asks for. */
export const ANYTHING: SchemaForm = {
  types: ALL,
  limits: new Map(),
  patterns: [],
  formats: [],
  multiples: [],
  unique: false,
  prefix: [],
  items: true,
  properties: new Map(),
  required: new Set(),
  additional: true,
  groups: [],
  others: [],
};

function union<T>(one: readonly T[], other: readonly T[]): readonly T[] {
  return [...new Set([...one, ...other])];
}
