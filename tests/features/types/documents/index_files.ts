/** Index files for types of documents: some as people write them, others generated from a seed. */
import fc from "fast-check";

export type Mapping = Readonly<Record<string, unknown>>;

/** Fields of every type that servers of tests have, in both products unless it says so. */
export const FIELDS: Readonly<Record<string, Mapping>> = {
  keyword: { type: "keyword" },
  text: { type: "text", fields: { raw: { type: "keyword", ignore_above: 256 } } },
  wildcard: { type: "wildcard" },
  match_only_text: { type: "match_only_text" },
  search_as_you_type: { type: "search_as_you_type" },
  constant_keyword: { type: "constant_keyword", value: "prod" },
  token_count: { type: "token_count", analyzer: "standard" },
  completion: { type: "completion" },
  suggestion: { type: "completion", contexts: [{ name: "kind", type: "category" }] },
  long: { type: "long" },
  integer: { type: "integer" },
  short: { type: "short" },
  byte: { type: "byte" },
  unsigned_long: { type: "unsigned_long" },
  double: { type: "double" },
  float: { type: "float" },
  half_float: { type: "half_float" },
  scaled_float: { type: "scaled_float", scaling_factor: 100 },
  boolean: { type: "boolean" },
  date: { type: "date" },
  date_nanos: { type: "date_nanos" },
  date_day: { type: "date", format: "yyyy-MM-dd" },
  date_epoch: { type: "date", format: "epoch_second" },
  date_both: { type: "date", format: "strict_date_optional_time||epoch_millis" },
  ip: { type: "ip" },
  binary: { type: "binary" },
  geo_point: { type: "geo_point" },
  integer_range: { type: "integer_range" },
  long_range: { type: "long_range" },
  float_range: { type: "float_range" },
  double_range: { type: "double_range" },
  date_range: { type: "date_range" },
  ip_range: { type: "ip_range" },
  rank_feature: { type: "rank_feature" },
  rank_features: { type: "rank_features" },
  flat_object: { type: "flat_object" },
  disabled: { type: "object", enabled: false },
  alias: { type: "alias", path: "target" },
};

// An alias needs its target in the same object.
const field = fc.constantFrom(...Object.values(FIELDS).filter(({ type }) => type !== "alias"));
const name = fc.constantFrom(
  ...["id", "name", "title", "price", "at", "tags", "a-b", "a b", "state.code", "état", "x1", "_v"],
);
const dynamic = fc.constantFrom("strict", false, "false", "strict", undefined);

/** Objects and lists of objects, three levels at most. */
const { object } = fc.letrec<{ object: Mapping; any: Mapping }>((tie) => ({
  any: fc.oneof({ maxDepth: 3, withCrossShrink: true }, field, tie("object")),
  object: fc.record({
    type: fc.constantFrom("nested", "object", undefined),
    dynamic,
    properties: fc.dictionary(name, tie("any"), { minKeys: 1, maxKeys: 4 }),
  }).map(({ type, dynamic, properties }) => ({
    ...(type && { type }),
    ...(dynamic !== undefined && { dynamic }),
    properties,
  })),
}));

const generated = fc.record({
  dynamic,
  properties: fc.dictionary(name, fc.oneof(field, object), { minKeys: 2, maxKeys: 7 }),
}).map(({ dynamic, properties }): Mapping => ({
  dynamic: dynamic ?? "strict",
  properties: { ...properties, target: { type: "keyword" } },
}));

const written: readonly Mapping[] = [
  { dynamic: "strict", properties: { ...FIELDS, target: { type: "keyword" } } },
  {
    dynamic: "strict",
    properties: {
      id: { type: "keyword" },
      customer: { properties: { name: { type: "text" }, "address.city": { type: "keyword" } } },
      items: {
        type: "nested",
        properties: {
          sku: { type: "keyword" },
          price: { type: "scaled_float", scaling_factor: 100 },
        },
      },
      total: { type: "double" },
      placed: { type: "date" },
      status: { type: "keyword", copy_to: "all" },
      all: { type: "text" },
    },
  },
  {
    dynamic: "strict",
    properties: {
      title: { type: "text", fields: { raw: { type: "keyword" } } },
      tags: { type: "keyword" },
      location: { type: "geo_point" },
      open: { type: "date_range", format: "yyyy-MM-dd" },
      extra: { type: "object", enabled: false },
      attributes: { type: "flat_object" },
    },
  },
  {
    dynamic: "strict",
    properties: {
      "@timestamp": { type: "date", format: "epoch_millis" },
      "log.level": { type: "keyword" },
      "log.file.path": { type: "keyword" },
      message: { type: "text" },
      host: { properties: { name: { type: "keyword" }, ip: { type: "ip" } } },
      labels: { type: "object", dynamic: false, properties: { team: { type: "keyword" } } },
    },
  },
  {
    dynamic: "strict",
    properties: {
      text: { type: "text" },
      kind: { type: "join", relations: { question: ["answer", "comment"], answer: "vote" } },
    },
  },
];

/** The mappings of 40 index files. */
export const MAPPINGS: readonly Mapping[] = [
  ...written,
  ...fc.sample(generated, { numRuns: 40 - written.length, seed: 7 }),
];

/** A mapping without fields of types that a cluster does not have. */
export function without(mapping: Mapping, absent: ReadonlySet<unknown>): Mapping {
  const { properties, ...rest } = mapping;
  if (properties === undefined) return mapping;
  const kept = Object.entries(properties as Record<string, Mapping>)
    .filter(([, { type }]) => !absent.has(type))
    .map(([name, field]) => [name, without(field, absent)]);
  return { ...rest, properties: Object.fromEntries(kept) };
}

const dates = fc.date({ min: new Date(0), max: new Date("2200-01-01"), noInvalidDate: true });
const day = dates.map((date) => date.toISOString().slice(0, 10));
const time = dates.map((date) => date.toISOString());
const WHOLE: Readonly<Record<string, readonly [number, number]>> = {
  byte: [-128, 127],
  short: [-32768, 32767],
  integer: [-(2 ** 31), 2 ** 31 - 1],
  integer_range: [-(2 ** 31) + 1, 2 ** 31 - 2],
  long: [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  long_range: [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  unsigned_long: [0, Number.MAX_SAFE_INTEGER],
  date: [0, 2 ** 32],
  date_nanos: [0, 2 ** 32],
  date_range: [0, 2 ** 32],
  completion: [1, 1000],
};

/** A text or a number in the format and the range that a mapping has, which are outside of its type. */
export function scalar(kind: "string" | "number", mapping: Mapping): fc.Arbitrary<unknown> {
  const type = `${mapping.type}`;
  if (kind === "number") {
    if (type === "geo_point") return fc.integer({ min: -89, max: 89 });
    if (type === "rank_feature" || type === "rank_features") return fc.integer({ min: 1, max: 9 });
    const [min, max] = WHOLE[type] ?? [];
    if (min !== undefined && max !== undefined) return fc.integer({ min, max });
    return fc.double({ min: -60000, max: 60000, noNaN: true }).map((value) => value + 0);
  }
  switch (type) {
    case "date":
    case "date_nanos":
    case "date_range":
      return mapping.format === "yyyy-MM-dd" ? day : fc.oneof(day, time);
    case "ip":
      return fc.oneof(fc.ipV4(), fc.ipV6());
    case "ip_range":
      return fc.constantFrom("10.0.0.0/8", "2001:db8::/32");
    case "geo_point":
      return fc.tuple(fc.integer({ min: -89, max: 89 }), fc.integer({ min: -179, max: 179 }))
        .map((pair) => pair.join(","));
    case "binary":
      return fc.base64String({ maxLength: 20 });
    case "completion":
      return fc.constantFrom("Ada", "Grace Hopper");
  }
  return fc.string({ unit: "grapheme", maxLength: 12 });
}
