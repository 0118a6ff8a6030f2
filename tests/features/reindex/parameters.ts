/** A parameter of a field, and two values of it. */
export interface Parameter {
  /** `text.norms`. */
  readonly name: string;
  /** The least that a field of the type says. */
  readonly base: Readonly<Record<string, unknown>>;
  readonly parameter: string;
  /** The value that it has where it is not named, in every way of writing it; none where it has to be named. */
  readonly usual: readonly unknown[];
  /** Another value. */
  readonly other: unknown;
}

type Values = readonly [usual: readonly unknown[], other: unknown];

const flag = (usual: boolean): Values => [[usual, String(usual)], !usual];
const meta: Values = [[{}], { unit: "ms" }];
const store = flag(false);
const index = flag(true);
const docValues = flag(true);
const boost: Values = [[1, "1.0"], 2];
/** A cluster shows these once they are named, since an index may have other defaults. */
const coerce: Values = [[], false];
const ignoreMalformed: Values = [[], true];

const number = (nullValue: unknown): Record<string, Values> => ({
  index,
  doc_values: docValues,
  store,
  ignore_malformed: ignoreMalformed,
  coerce,
  null_value: [[null], nullValue],
  meta,
});
const range = { index, doc_values: docValues, store, coerce, boost, meta };
const date = {
  index,
  doc_values: docValues,
  store,
  format: [["strict_date_optional_time||epoch_millis"], "epoch_millis"] as Values,
  locale: [["", "ROOT"], "fr-CH"] as Values,
  null_value: [[null], 1] as Values,
  ignore_malformed: ignoreMalformed,
  boost,
  meta,
};
const text = {
  index,
  store,
  boost,
  meta,
  term_vector: [["no"], "with_positions"] as Values,
  analyzer: [["default"], "english"] as Values,
  search_analyzer: [["default"], "english"] as Values,
  search_quote_analyzer: [["default"], "english"] as Values,
  similarity: [[null], "boolean"] as Values,
  eager_global_ordinals: flag(false),
  position_increment_gap: [[-1], 5] as Values,
  fielddata: flag(false),
  fielddata_frequency_filter: [[{ min: 0, max: 2147483647, min_segment_size: 0 }], {
    min: 0.01,
  }] as Values,
};

/**
 * The parameters and values that the mapper of each type accepts, on 2.19.4 and 3.4.0: types of the core and of the
 * modules that tests have.
 */
const TYPES: Readonly<Record<string, Readonly<Record<string, Values>>>> = {
  alias: { path: [[], "target2"] },
  binary: { store, doc_values: flag(false), meta },
  boolean: { index, doc_values: docValues, store, boost, meta, null_value: [[null], "true"] },
  byte: number(1),
  completion: {
    analyzer: [["simple"], "standard"],
    search_analyzer: [["simple"], "standard"],
    preserve_separators: flag(true),
    preserve_position_increments: flag(true),
    max_input_length: [[50, "50"], 20],
    contexts: [[], { name: "c", type: "category" }],
    meta,
  },
  constant_keyword: { value: [[], "other"] },
  date,
  date_nanos: date,
  date_range: {
    ...range,
    format: [["strict_date_optional_time||epoch_millis"], "epoch_millis"],
    locale: [["", "ROOT"], "fr"],
  },
  double: number(1.5),
  double_range: range,
  flat_object: {},
  float: number("1.5"),
  float_range: range,
  geo_point: {
    index,
    doc_values: docValues,
    store,
    meta,
    ignore_malformed: ignoreMalformed,
    ignore_z_value: [[], false],
    null_value: [[null], "1,2"],
  },
  half_float: number(1),
  integer: number("7"),
  integer_range: range,
  ip: {
    index,
    doc_values: docValues,
    store,
    ignore_malformed: ignoreMalformed,
    null_value: [[null], "::1"],
    meta,
  },
  ip_range: range,
  join: { eager_global_ordinals: flag(true), relations: [[{ a: ["b"] }], { a: ["b", "c"] }] },
  keyword: {
    index,
    doc_values: docValues,
    store,
    null_value: [[null], 1],
    eager_global_ordinals: flag(false),
    ignore_above: [[2147483647, "2147483647"], 10],
    index_options: [["docs"], "freqs"],
    norms: flag(false),
    similarity: [[null], "boolean"],
    normalizer: [["default"], "lowercase"],
    split_queries_on_whitespace: flag(false),
    boost,
    meta,
    copy_to: [[[]], "target"],
    fields: [[{}], { raw: { type: "long", index: true } }],
  },
  long: number(1),
  long_range: range,
  match_only_text: text,
  nested: {
    include_in_parent: flag(false),
    include_in_root: flag(false),
    enabled: flag(true),
    dynamic: [[], "STRICT"],
    properties: [[{}], { below: { type: "binary", doc_values: true } }],
  },
  object: {
    enabled: flag(true),
    dynamic: [[], false],
    properties: [[{}], { "below.it": { type: "search_as_you_type", norms: false } }],
  },
  rank_feature: { positive_score_impact: flag(true), meta },
  rank_features: { positive_score_impact: flag(true), meta },
  scaled_float: { ...number(1), scaling_factor: [[], "100"] },
  search_as_you_type: {
    index,
    store,
    doc_values: flag(false),
    max_shingle_size: [[3, "3"], 4],
    analyzer: [["default"], "english"],
    search_analyzer: [["default"], "english"],
    search_quote_analyzer: [["default"], "english"],
    similarity: [[null], "boolean"],
    index_options: [["positions"], "docs"],
    norms: flag(true),
    term_vector: [["no"], "yes"],
    meta,
  },
  short: number(1),
  text: {
    ...text,
    index_options: [["positions"], "offsets"],
    norms: flag(true),
    index_prefixes: [[null], {}],
    index_phrases: flag(false),
    fields: [[{}], { raw: { type: "keyword", ignore_above: 256, meta: {} } }],
  },
  token_count: {
    index,
    doc_values: docValues,
    store,
    analyzer: [[], "simple"],
    null_value: [[null], 1],
    enable_position_increments: flag(true),
    meta,
  },
  unsigned_long: number(1),
  wildcard: {
    null_value: [[null], "x"],
    ignore_above: [[2147483647], 10],
    normalizer: [["default"], "lowercase"],
    meta,
  },
};

const NEEDED: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  alias: { path: "target" },
  constant_keyword: { value: "x" },
  join: { relations: { a: "b" } },
  scaled_float: { scaling_factor: 10 },
  token_count: { analyzer: "standard" },
};

/** Every parameter of every type. */
export const PARAMETERS: readonly Parameter[] = Object.entries(TYPES).flatMap(([type, values]) =>
  Object.entries(values).map(([parameter, [usual, other]]) => {
    return {
      name: `${type}.${parameter}`,
      base: { type, ...NEEDED[type] },
      parameter,
      usual,
      other,
    };
  })
);

/** How many types these are. */
export const TYPE_COUNT: number = Object.keys(TYPES).length;
