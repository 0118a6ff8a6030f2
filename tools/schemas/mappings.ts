/** Mappings of OpenSearch 2 and 3 and Elasticsearch 8 and 9. */
import type { Clients, TypeMembers } from "./client_types.ts";
import {
  ANY,
  booleanOr,
  FORMS,
  knownWords,
  list,
  map,
  type Members,
  misspelt,
  object,
  oneOrMore,
  ref,
  type Schema,
  words,
} from "./forms.ts";
import { merged, relaxedMembers } from "./relaxed.ts";

/** Parameters that the types of the clients give to every field, and the fields that have them. */
const NOT_COMMON: Readonly<Record<string, RegExp>> = {
  dynamic: /^(?:object|nested|passthrough)$/,
  properties: /^(?:flattened|object|nested|passthrough)$/,
  ignore_above: /keyword|wildcard|flat/,
};

/**
 * Parameters that servers accept for every field beside its own, some of it without effect (tried: OpenSearch 2.19 and
 * 3.4, Elasticsearch 8.19 and 9.5).
 */
const COMMON: Members = {
  boost: ref("number"),
  copy_to: ref("texts"),
  doc_values: ref("boolean"),
  fields: ref("fields"),
  index: ref("boolean"),
  index_options: ref("indexOptions"),
  meta: map(ANY),
  similarity: ref("setting.text"),
  store: ref("boolean"),
};

const OBJECTS: Members = {
  type: ref("text"),
  properties: ref("fields"),
  dynamic: ref("dynamic"),
  enabled: ref("boolean"),
  include_in_parent: ref("boolean"),
  include_in_root: ref("boolean"),
  include_in_all: ref("boolean"),
  subobjects: booleanOr("auto", "disabled"),
  derived: map(ANY),
  synthetic_source_keep: ref("text"),
  time_series_dimension: ref("boolean"),
  priority: ref("integer"),
};

/** Parameters that servers accept and the types of the clients lack (tried with the same versions). */
const LACKING: readonly (readonly [types: RegExp, parameters: Members])[] = [
  [
    /^(?:byte|date|date_nanos|double|float|half_float|integer|keyword|long|scaled_float|short|token_count|unsigned_long)$/,
    {
      skip_list: ref("boolean"),
      script: ref("script"),
      on_script_error: words("fail", "continue", "ignore"),
      time_series_dimension: ref("boolean"),
      time_series_metric: ref("text"),
    },
  ],
  [/^date/, { locale: ref("text"), format: ref("text"), print_format: ref("text") }],
  [/_range$/, {
    format: ref("text"),
    ignore_malformed: ref("boolean"),
    locale: ref("text"),
  }],
  [/^keyword$/, { use_similarity: ref("boolean") }],
  [/^completion$/, { max_input_len: ref("integer") }],
  [/^geo_point$/, { time_series_dimension: ref("boolean") }],
  [/^geo_shape$/, { tree: ref("text"), precision: ref("text"), tree_levels: ref("integer") }],
  [/^match_only_text$/, {
    analyzer: ref("text"),
    eager_global_ordinals: ref("boolean"),
    fielddata: ref("boolean"),
    fielddata_frequency_filter: map(ANY),
    index_phrases: ref("boolean"),
    index_prefixes: map(ANY),
    norms: ref("boolean"),
    position_increment_gap: ref("integer"),
    search_analyzer: ref("text"),
    search_quote_analyzer: ref("text"),
    term_vector: ref("text"),
  }],
  [/./, { synthetic_source_keep: ref("text") }],
];

/** Values that the types of the clients describe too narrowly or too widely. */
const PARAMETERS: Members = {
  doc_values: { ...FORMS.boolean, type: ["boolean", "string", "object"] },
  dynamic: ref("dynamic"),
  index_options: ref("indexOptions"),
  term_vector: words(
    ...["no", "yes", "with_offsets", "with_positions", "with_positions_offsets"],
    ...["with_positions_offsets_payloads", "with_positions_payloads"],
  ),
  subobjects: OBJECTS.subobjects!,
  contexts: oneOrMore(map(ANY)),
  null_value: ANY,
  similarity: COMMON.similarity!,
  value: ANY,
  relations: map(ref("texts")),
  script: ref("script"),
  meta: map(ANY),
};

/** Fields of plugins, whose parameters change with their versions. */
const OF_PLUGINS =
  /^(?:dense_vector|icu_collation_keyword|knn_vector|murmur3|rank_vectors|semantic|semantic_text|sparse_vector)$/;
/** `{dynamic_type}` is in templates; the types of the clients lack the others. */
const LACKING_TYPES = ["annotated_text", "context_aware_grouping", "derived", "hll", "star_tree"];

export function mappings({ opensearch, elasticsearch }: Clients): Members {
  const fields = new Map<string, Members>();
  for (const client of [opensearch, elasticsearch]) {
    for (const [type, members] of client.variants(client.root("field"))) {
      if (!/^\w+$/.test(type)) continue;
      const own = relaxedMembers(client, withoutForeign(type, members));
      fields.set(type, merged(fields.get(type) ?? {}, own));
    }
  }
  const isObject = (type: string) => /^(?:object|nested|passthrough)$/.test(type);
  const types = [...fields.keys()].filter((type) => !isObject(type));
  const known = [...fields.keys(), ...LACKING_TYPES].sort();
  return {
    dynamic: booleanOr("strict", "strict_allow_templates", "false_allow_templates", "runtime"),
    indexOptions: { ...words("docs", "freqs", "positions", "offsets"), type: ["string", "object"] },
    fields: map(ref("field")),
    field: {
      ...object({
        type: {
          ...knownWords(known),
          // Other plugins have types with such names.
          pattern: `^(?:${known.join("|")})$|[^a-zA-Z]`,
          patternErrorMessage: "Expected a type of fields such as 'keyword'",
        },
      }),
      patternProperties: misspelt(["type"]),
      allOf: [
        {
          if: { required: ["type"] },
          else: {
            if: { anyOf: [{ required: ["properties"] }, { required: ["enabled"] }] },
            then: ref("field.object"),
            else: { required: ["type"] },
          },
        },
        ...grouped(types, (type) => parametersOf(type, fields.get(type)!)).map(
          ([types, parameters]) => ({
            if: typeIs(types),
            then: object(parameters, { closed: !types.some((type) => OF_PLUGINS.test(type)) }),
          }),
        ),
        { if: typeIs(["object", "nested", "passthrough"]), then: ref("field.object") },
      ],
    },
    "field.object": object(OBJECTS, { closed: true }),
    mappings: object(ROOT, { closed: true }),
    dynamicTemplate: object(DYNAMIC_TEMPLATE, { closed: true }),
  };
}

function withoutForeign(type: string, members: TypeMembers): TypeMembers {
  return Object.fromEntries(
    Object.entries(members).filter(([name]) => NOT_COMMON[name]?.test(type) ?? true),
  );
}

function parametersOf(type: string, ofClients: Members): Members {
  const lacking = LACKING.filter(([types]) => types.test(type)).map(([, parameters]) => parameters);
  const all = { type: ref("text"), ...COMMON, ...ofClients, ...Object.assign({}, ...lacking) };
  return Object.fromEntries(
    Object.entries(all as Members).sort(([a], [b]) => a < b ? -1 : 1)
      .map(([name, schema]) => [name, PARAMETERS[name] ?? schema]),
  );
}

function typeIs(types: readonly string[]): Schema {
  return { required: ["type"], properties: { type: { enum: types } } };
}

/** Types with the same parameters together. */
function grouped(
  types: readonly string[],
  of: (type: string) => Members,
): readonly (readonly [readonly string[], Members])[] {
  const groups = Map.groupBy(types.toSorted(), (type) => JSON.stringify(of(type)));
  return [...groups.values()].map((types) => [types, of(types[0]!)]);
}

const ROOT: Members = {
  ...OBJECTS,
  _source: object({
    enabled: ref("boolean"),
    includes: ref("texts"),
    excludes: ref("texts"),
    compress: ref("boolean"),
    compress_threshold: ref("text"),
    mode: words("disabled", "stored", "synthetic"),
    recovery_source_enabled: ref("boolean"),
    recovery_source_includes: ref("texts"),
    recovery_source_excludes: ref("texts"),
  }, { closed: true }),
  _routing: object({ required: ref("boolean") }, { closed: true }),
  _field_names: object({ enabled: ref("boolean") }, { closed: true }),
  _data_stream_timestamp: object({
    enabled: ref("boolean"),
    timestamp_field: map(ANY),
  }),
  _doc: ref("mappings"),
  _size: object({ enabled: ref("boolean") }),
  _meta: map(ANY),
  composite: map(ANY),
  context_aware_grouping: map(ANY),
  date_detection: ref("boolean"),
  date_formats: ref("texts"),
  dynamic_date_formats: ref("texts"),
  dynamic_templates: list(map(ref("dynamicTemplate"))),
  numeric_detection: ref("boolean"),
  runtime: map(ANY),
};

const MAPPING_TYPE = words(
  ...["*", "binary", "boolean", "date", "double", "long", "object", "string"],
);
const MAPPING_TYPES: Schema = { ...MAPPING_TYPE, type: ["array", "string"], items: MAPPING_TYPE };

const DYNAMIC_TEMPLATE: Members = {
  // Without a type it is that of the value.
  mapping: { if: { required: ["type"] }, then: ref("field"), else: map(ANY) },
  runtime: map(ANY),
  match: ref("texts"),
  unmatch: ref("texts"),
  path_match: ref("texts"),
  path_unmatch: ref("texts"),
  match_mapping_type: MAPPING_TYPES,
  unmatch_mapping_type: MAPPING_TYPES,
  match_pattern: words("simple", "regex"),
};
