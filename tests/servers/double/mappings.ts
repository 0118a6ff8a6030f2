import { illegal, isObject, type Json, Refused } from "./answers.ts";
import { javaText } from "./json_text.ts";

export interface Field extends Json {
  readonly type?: string;
  readonly properties?: Record<string, Field>;
}

/** A mapping as an index has it: defaults left out, dots in names written out. */
export interface Mapping extends Json {
  readonly dynamic?: string;
  readonly properties?: Record<string, Field>;
}

const TYPES =
  `alias binary boolean byte completion constant_keyword date date_nanos date_range double double_range flat_object
  float float_range geo_point geo_shape half_float integer integer_range ip ip_range join keyword knn_vector long
  long_range match_only_text nested object percolator rank_feature rank_features scaled_float search_as_you_type
  semantic short star_tree text token_count unsigned_long wildcard`.split(/\s+/);

const ROOT =
  `properties dynamic dynamic_templates dynamic_date_formats date_detection numeric_detection derived _meta _source
  _routing _field_names _size _data_stream_timestamp`.split(/\s+/);

/** Parameters that clusters do not give back when they have this value, by type, and of every type. */
const DEFAULTS: Record<string, Json> = {
  "": { index: true, doc_values: true, store: false, boost: 1, null_value: null },
  text: {
    norms: true,
    index_options: "positions",
    fielddata: false,
    index_phrases: false,
    eager_global_ordinals: false,
    analyzer: "default",
    term_vector: "no",
  },
  keyword: { norms: false, index_options: "docs", eager_global_ordinals: false },
  date: { format: "strict_date_optional_time||epoch_millis" },
  object: { enabled: true },
  nested: { enabled: true, include_in_parent: false, include_in_root: false },
};

const NUMBER = "coerce doc_values ignore_malformed index null_value store";

/** The parameters of a type, by name; other types are not checked. */
const PARAMETERS: Record<string, string> = {
  boolean: "doc_values index null_value store",
  byte: NUMBER,
  date: "doc_values format ignore_malformed index locale null_value print_format store",
  double: NUMBER,
  float: NUMBER,
  integer: NUMBER,
  keyword:
    "doc_values eager_global_ordinals ignore_above index index_options normalizer norms null_value similarity " +
    "split_queries_on_whitespace store use_similarity",
  long: NUMBER,
  short: NUMBER,
  text:
    "analyzer eager_global_ordinals fielddata fielddata_frequency_filter index index_options index_phrases " +
    "index_prefixes norms position_increment_gap search_analyzer search_quote_analyzer similarity store term_vector",
};

/** Parameters that cannot change, in the order in which a refusal names them. */
const FIXED = [
  "index",
  "doc_values",
  "store",
  "index_options",
  "format",
  "null_value",
  "term_vector",
  "analyzer",
];

/** @throws {Refused} what no index can have */
export function storedMapping(mapping: unknown): Mapping {
  if (!isObject(mapping)) return {};
  const strangers = Object.entries(mapping).filter(([name]) => !ROOT.includes(name));
  if (strangers.length > 0) {
    const list = strangers.map(([name, value]) => ` [${name} : ${javaText(value)}]`);
    throw unparsed(`Root mapping definition has unsupported parameters: ${list.join("")}`);
  }
  const { properties, dynamic, _source: source, ...rest } = mapping;
  const fields = storedFields(properties);
  const wholeSource = isObject(source) && JSON.stringify(source) === '{"enabled":true}';
  return {
    ...rest,
    ...(dynamic !== undefined && { dynamic: String(dynamic) }),
    ...(source !== undefined && !wholeSource && { _source: source }),
    ...(Object.keys(fields).length > 0 && { properties: fields }),
  };
}

function storedFields(properties: unknown): Record<string, Field> {
  let fields: Record<string, Field> = {};
  for (const [path, field] of Object.entries(isObject(properties) ? properties : {})) {
    const [name = "", ...below] = path.split(".");
    const whole = below.length === 0
      ? storedField(name, field)
      : { properties: storedFields({ [below.join(".")]: field }) };
    fields = mergedFields(fields, { [name]: whole }, "replace");
  }
  return fields;
}

function storedField(name: string, field: unknown): Field {
  const { type: given, properties, dynamic, fields, copy_to: copyTo, ...rest } = field as Json;
  const type = given ?? (properties === undefined ? undefined : "object");
  if (type === undefined) throw unparsed(`No type specified for field [${name}]`);
  if (!TYPES.includes(String(type))) {
    throw unparsed(`No handler for type [${type}] declared on field [${name}]`);
  }
  const parameters = PARAMETERS[String(type)];
  const stranger = Object.keys(rest).find((parameter) =>
    parameters && !`${parameters} boost meta`.split(" ").includes(parameter)
  );
  if (stranger !== undefined) {
    throw unparsed(`unknown parameter [${stranger}] on mapper [${name}] of type [${type}]`);
  }
  const defaults = { ...DEFAULTS[""], ...DEFAULTS[String(type)] };
  const said = Object.entries(rest).filter(([key, value]) => defaults[key] !== value);
  const below = storedFields(properties);
  const named = Object.keys(below).length > 0;
  return {
    ...(type === "object" && named ? {} : { type: String(type) }),
    ...Object.fromEntries(said),
    ...(dynamic !== undefined && { dynamic: String(dynamic) }),
    ...(fields !== undefined && { fields: storedSubfields(fields) }),
    ...(copyTo !== undefined && { copy_to: [copyTo].flat() }),
    ...(named && { properties: below }),
  };
}

/** Fields of a field, whose types are missed in other words. */
function storedSubfields(fields: unknown): Record<string, Field> {
  for (const [name, { type }] of Object.entries(fields as Record<string, Json>)) {
    if (TYPES.includes(String(type))) continue;
    throw unparsed(`no handler for type [${type}] declared on field [${name}]`);
  }
  return storedFields(fields);
}

function unparsed(reason: string): Refused {
  return new Refused(400, { type: "mapper_parsing_exception", reason });
}

/** As {@linkcode storedMapping}, refused in the words of where an index or a template is made. */
export function mappingOf(mapping: unknown): Mapping {
  try {
    return storedMapping(mapping);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    throw new Refused(error.status, {
      type: "mapper_parsing_exception",
      reason: `Failed to parse mapping [_doc]: ${error.error.reason}`,
      caused_by: error.error,
    });
  }
}

/**
 * A mapping with another over it.
 *
 * @param how a live index keeps the types that it has; templates put a field in the place of another
 * @throws {Refused} what cannot be changed
 */
export function mergedMapping(
  mapping: Mapping,
  change: Mapping,
  how: "update" | "replace",
): Mapping {
  if (how === "update") checkSource(mapping, change);
  const properties = mergedFields(mapping.properties ?? {}, change.properties ?? {}, how);
  return {
    ...mapping,
    ...change,
    ...(Object.keys(properties).length > 0 && { properties }),
  };
}

function checkSource(mapping: Mapping, change: Mapping): void {
  const [was, is] = [mapping, change].map(({ _source }) => isObject(_source) ? _source : {});
  if (change._source === undefined || is!.enabled === was!.enabled) return;
  throw conflict("_source", [["enabled", was!.enabled ?? true, is!.enabled ?? true]]);
}

function mergedFields(
  fields: Record<string, Field>,
  change: Record<string, Field>,
  how: "update" | "replace",
  prefix = "",
): Record<string, Field> {
  const merged = { ...fields };
  // In order of the names: a refusal names the first of them.
  for (const name of Object.keys(change).sort()) {
    const [was, is] = [fields[name], change[name]!];
    merged[name] = was ? mergedField(prefix + name, was, is, how) : is;
  }
  return merged;
}

function mergedField(path: string, was: Field, is: Field, how: "update" | "replace"): Field {
  if (hasFields(was) !== hasFields(is)) {
    throw illegal(`can't merge a non object mapping [${path}] with an object mapping`);
  }
  if (hasFields(was)) {
    if (how === "update") checkNesting(was, is);
    const properties = mergedFields(was.properties ?? {}, is.properties ?? {}, how, `${path}.`);
    const { type, ...rest } = { ...was, ...is };
    const named = Object.keys(properties).length > 0;
    const kept = was.type === "nested" ? "nested" : type;
    const typed = kept !== undefined && (kept !== "object" || !named) ? { type: kept } : {};
    return { ...typed, ...rest, ...(named && { properties }) };
  }
  if (how === "replace") return is;
  if (was.type !== is.type) {
    throw illegal(`mapper [${path}] cannot be changed from type [${was.type}] to [${is.type}]`);
  }
  const changes = FIXED.map((name) => [name, valueOf(was, name), valueOf(is, name)] as const)
    .filter(([, before, after]) => before !== after);
  if (changes.length > 0) throw conflict(path, changes);
  const fields = { ...was.fields as Json | undefined, ...is.fields as Json | undefined };
  return { ...is, ...(Object.keys(fields).length > 0 && { fields }) };
}

function checkNesting(was: Field, is: Field): void {
  const [before, after] = [was, is].map(({ type }) => type === "nested" ? "nested" : "non-nested");
  if (before === after) return;
  throw illegal(`cannot change object mapping from ${before} to ${after}`);
}

export function hasFields({ type, properties }: Field): boolean {
  return type === "object" || type === "nested" || properties !== undefined;
}

function valueOf(field: Field, name: string): unknown {
  const defaults: Json = { ...DEFAULTS[""], ...DEFAULTS[field.type!] };
  return field[name] ?? defaults[name] ?? null;
}

function conflict(path: string, changes: (readonly [string, unknown, unknown])[]): Refused {
  return illegal(
    `Mapper for [${path}] conflicts with existing mapper:` +
      changes.map(([name, from, to]) =>
        `\n\tCannot update parameter [${name}] from [${from}] to [${to}]`
      )
        .join(""),
  );
}
