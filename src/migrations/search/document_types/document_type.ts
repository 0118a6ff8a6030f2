import { propertyName } from "../../../text/typescript.ts";
import { type Json, listOf, objectOf, textOf } from "../json/json_values.ts";

export interface DocumentOptions {
  /** Whether fields that the mapping does not name are allowed, whatever it says. */
  readonly isOpen: boolean;
  /** The field of which every document has exactly one value. */
  readonly required?: string | undefined;
}

/** The type of the documents of a mapping: of each field one value, a list of values, or none. */
export function documentType(mapping: Json, { isOpen, required }: DocumentOptions): string {
  return objectType(
    mapping,
    { indent: "", isOpen, dynamic: "true", hasTemplates: false },
    required,
  );
}

interface Surroundings {
  readonly indent: string;
  readonly isOpen: boolean;
  /** What becomes of fields that are not named, by the objects around. */
  readonly dynamic: string;
  /** Whether the mapping has dynamic templates. */
  readonly hasTemplates: boolean;
}

function objectType(mapping: Json, around: Surroundings, required?: string): string {
  const { dynamic = around.dynamic, properties, dynamic_templates: templates } = mapping;
  const within: Surroundings = {
    ...around,
    indent: `${around.indent}  `,
    dynamic: `${dynamic}`.toLowerCase(),
    hasTemplates: around.hasTemplates || listOf(templates).length > 0,
  };
  const { indent } = within;
  const members = Object.entries(objectOf(properties)).flatMap(([name, field]) => {
    const [one, isSingle] = valueType(objectOf(field), within);
    if (one === undefined) return [];
    if (name === required) return `${indent}${propertyName(name)}: ${one};\n`;
    return `${indent}${propertyName(name)}?: ${isSingle ? one : `Field<${one}>`};\n`;
  });
  if (allowsUnknown(within)) members.push(`${indent}[field: string]: unknown;\n`);
  return members.length === 0 ? "Record<string, never>" : `{\n${members.join("")}${around.indent}}`;
}

function allowsUnknown({ isOpen, dynamic, hasTemplates }: Surroundings): boolean {
  if (isOpen || dynamic === "true" || dynamic === "runtime") return true;
  return hasTemplates && dynamic.endsWith("_allow_templates");
}

/** The type of one value, if documents have the field, and whether there may be only one. */
function valueType(
  mapping: Json,
  around: Surroundings,
): readonly [type: string | undefined, isSingle: boolean] {
  const type = `${mapping.type ?? "object"}`;
  if (type === "alias") return [undefined, true];
  const isDisabled = `${mapping.enabled}` === "false";
  if (type !== "object" && type !== "nested") {
    const one = leafType(type, mapping);
    return [one, SINGLE.has(type) || one === "unknown"];
  }
  return isDisabled ? ["unknown", true] : [objectType(mapping, around), false];
}

/** Types of which a field has one value: arrays are the value itself, or rejected. */
const SINGLE = new Set(
  ("dense_vector knn_vector rank_vectors rank_feature rank_features sparse_vector join percolator flat_object histogram " +
    "aggregate_metric_double").split(" "),
);

function leafType(type: string, mapping: Json): string {
  const known = TYPES[type];
  if (known !== undefined) return known;
  if (type === "date" || type === "date_nanos") return dateType(mapping);
  if (type === "date_range") return rangeType(dateType(mapping));
  if (type === "ip_range") return `string | ${rangeType("string")}`;
  if (type.endsWith("_range")) return rangeType("number");
  if (type === "join") return joinType(objectOf(mapping.relations));
  if (type === "constant_keyword") {
    return mapping.value === undefined ? "string" : JSON.stringify(`${mapping.value}`);
  }
  return "unknown";
}

function each(names: string, type: string): Readonly<Record<string, string>> {
  return Object.fromEntries(names.split(" ").map((name) => [name, type]));
}

const TYPES: Readonly<Record<string, string>> = {
  ...each(
    "keyword text wildcard match_only_text search_as_you_type annotated_text version ip binary token_count murmur3 " +
      "icu_collation_keyword counted_keyword semantic",
    "string",
  ),
  ...each(
    "long integer short byte unsigned_long double float half_float scaled_float rank_feature",
    "number",
  ),
  boolean: "boolean",
  completion: "Completion",
  geo_point: "GeoPoint",
  ...each("point xy_point", "Point"),
  ...each("geo_shape shape xy_shape", "Shape"),
  ...each("dense_vector knn_vector", "readonly number[]"),
  rank_vectors: "readonly (readonly number[])[]",
  ...each("rank_features sparse_vector", "Readonly<Record<string, number>>"),
  ...each("flattened flat_object percolator", "Readonly<Record<string, unknown>>"),
  histogram: "{ values: readonly number[]; counts: readonly number[] }",
  aggregate_metric_double: "Readonly<Record<string, number>>",
};

const EPOCH = /^(?:strict_)?epoch_/;

/** Text, unless the mapping names a format of numbers. */
function dateType({ format }: Json): string {
  const formats = (textOf(format) ?? "strict_date_optional_time").split("||");
  const kinds = formats.map((one) => EPOCH.test(one.trim()) ? "number" : "string");
  return [...new Set(kinds)].toSorted().join(" | ");
}

function rangeType(bound: string): string {
  return `Range<${bound}>`;
}

/** The name of a parent, or a child with the id of its parent. */
function joinType(relations: Json): string {
  const children = new Set(Object.values(relations).flat().map(String));
  const quoted = (names: readonly string[]) =>
    names.map((name) => JSON.stringify(name)).join(" | ");
  const parents = Object.keys(relations).filter((name) => !children.has(name));
  const roots = quoted(parents);
  const parts = [
    ...(roots === "" ? [] : [roots, `{ name: ${roots} }`]),
    ...(children.size === 0 ? [] : [`{ name: ${quoted([...children])}; parent: string }`]),
  ];
  return parts.join(" | ") || "never";
}
