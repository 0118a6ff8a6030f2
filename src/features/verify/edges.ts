import { LOWER, mergeForms, type SchemaForm, type SchemaReader } from "../contract/reader.ts";

/** Values at the limits of a schema and beyond, valid or not: members of enumerations, zero, empty text, other alphabets. */
export function edgesOf(form: SchemaForm, reader: SchemaReader): readonly unknown[] {
  const edges = alternativesOf(form, reader).flatMap((one) =>
    one.values ? one.values.slice(0, MOST_MEMBERS) : [
      ...(one.types.has("null") ? [null] : []),
      ...(one.types.has("boolean") ? [true, false] : []),
      ...numbers(one),
      ...texts(one),
      ...(one.types.has("array") ? [[]] : []),
    ]
  );
  return [...new Map(edges.map((edge) => [JSON.stringify(edge), edge])).values()];
}

export const STRANGERS: readonly unknown[] = [null, "", 0, "~", 1.5, true, [], {}, ["~"]];

export const HOSTILE: readonly string[] = ["%", '"', "../", "__proto__", "0"];

export function lengthsOf({ limits }: SchemaForm): readonly number[] {
  return lengths([limits.get("minItems"), limits.get("maxItems")], MOST_ITEMS);
}

export function alternativesOf(form: SchemaForm, reader: SchemaReader): readonly SchemaForm[] {
  const [group, ...groups] = form.groups;
  if (!group) return form.types.size === 7 && !form.values ? [] : [form];
  return group.of.slice(0, MOST_MEMBERS).flatMap((one) => {
    const chosen = mergeForms({ ...form, groups }, reader.form(one));
    return chosen.groups.length > MOST_GROUPS ? [] : alternativesOf(chosen, reader);
  }).slice(0, MOST_MEMBERS);
}

function numbers({ types, limits, multiples }: SchemaForm): readonly number[] {
  const hasFractions = types.has("fraction");
  if (!types.has("integer") && !hasFractions) return [];
  const ends = [...limits].filter(([keyword]) => /imum$/i.test(keyword)).flatMap(
    ([keyword, limit]) => {
      const outwards = LOWER.includes(keyword) ? -1 : 1;
      const near = [limit, limit + outwards, limit - outwards];
      return hasFractions ? [...near, limit + outwards / 2, limit - outwards / 2] : near;
    },
  );
  const between = multiples.map((multiple) => multiple / 2);
  return [...ends, 0, 1, -1, 0.5, ...(hasFractions ? [-0.5] : []), ...between].filter((one) =>
    Number.isSafeInteger(one) || !Number.isInteger(one)
  );
}

function texts({ types, limits, formats }: SchemaForm): readonly string[] {
  if (!types.has("string")) return [];
  const least = limits.get("minLength") ?? 0;
  const most = limits.get("maxLength") ?? Infinity;
  const plain = lengths([limits.get("minLength"), limits.get("maxLength")], LONGEST)
    .map((length) => "a".repeat(length));
  // JSON Schema counts characters, many libraries UTF-16 units: the lengths fit either count.
  const strange = [..."ß漢\0"].map((letter) => letter.repeat(Math.max(1, least)));
  const pairs = 2 * Math.max(1, least) <= most ? ["\u{1f600}".repeat(Math.max(1, least))] : [];
  const hostile = HOSTILE.map((text) => text.repeat(Math.max(1, Math.ceil(least / text.length))));
  const common = least > LONGEST ? [] : [...strange, ...pairs, ...hostile];
  return ["", ...plain, ...common, ...formats.flatMap((format) => FORMATS[format] ?? [])];
}

function lengths(limits: readonly (number | undefined)[], longest: number): readonly number[] {
  const all = limits.flatMap((limit) =>
    limit === undefined || limit > longest ? [] : [limit - 1, limit, limit + 1]
  );
  return [...new Set(all)].filter((length) => length > 0);
}

/** Longer texts may be rejected only for their size. */
const LONGEST = 4_000;
const MOST_ITEMS = 200;
const MOST_MEMBERS = 30;
const MOST_GROUPS = 4;

const FORMATS: Readonly<Record<string, readonly string[]>> = {
  date: ["0001-01-01", "9999-12-31", "2026-02-29", "2026-2-9", "2026-11-21T10:30:00Z"],
  "date-time": ["2026-02-29T10:30:00Z", "2026-11-21T24:30:00Z", "2026-11-21T10:30:00"],
  email: ["ada", "@example.com", "ada@"],
  uuid: ["00000000-0000-0000-0000-00000000000", "3F2504E0-4F89-41D3-9A0C-0305E82C3301"],
  uri: ["example", "//example.com"],
};
