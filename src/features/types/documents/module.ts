/** TypeScript types of the documents of a cluster; loaded only by the command that writes them. */
import { each, literals, propertyName, union } from "../../../text/typescript.ts";
import { docComment, moduleOf, type TypeModule, TypeNames } from "../module_text.ts";
import {
  type Json,
  listOf,
  objectOf,
  stringOf,
} from "../../../migrations/search/json/json_values.ts";
import type { SearchMigration } from "../../../migrations/search/types.ts";
import { type DocumentMapping, documentMappings } from "./mappings.ts";

export function documentTypes(migrations: readonly SearchMigration[]): TypeModule {
  const names = new TypeNames(RESERVED);
  const types = documentMappings(migrations).map((one) => {
    const { name, noun, path, unknown } = one;
    const missing = unknown.length === 0
      ? ""
      : `\nMay have fields of ${unknown.map((one) => `'${one}'`).join(", ")}, which no file makes.`;
    const comment = docComment(`Documents of the ${noun} '${name}', of '${path}'.${missing}`);
    return `${comment}export type ${names.take(name)} = ${documentType(one)};\n`;
  });
  return { text: moduleOf(types.join("\n"), DECLARATIONS), count: types.length };
}

const DECLARATIONS: Readonly<Record<string, string>> = {
  Field: `/** One value, a list of values, or none. */
export type Field<Value> = Value | null | readonly Value[];
`,
  Range: `/** Bounds of a range; a missing one, or \`null\`, is none. */
export interface Range<Bound> {
  gt?: Bound | null;
  gte?: Bound | null;
  lt?: Bound | null;
  lte?: Bound | null;
}
`,
  GeoPoint: `/** A text is \`"latitude,longitude"\`, a geohash or well-known text. */
export type GeoPoint = string | { lat: number; lon: number };
`,
  Point: "export type Point = string | { x: number; y: number };\n",
  Shape: `/** GeoJSON, or well-known text. */
export type Shape = string | { type: string; [member: string]: unknown };
`,
  Completion: `export interface Completion {
  input: string | readonly string[];
  weight?: number;
}
`,
};

const RESERVED: readonly string[] = [...Object.keys(DECLARATIONS), "Readonly", "Record"];

/** The type of the documents of a mapping: of each field one value, a list of values, or none. */
function documentType({ mapping, unknown, required }: DocumentMapping): string {
  const isOpen = unknown.length > 0;
  const around = { indent: "", isOpen, dynamic: "true", hasTemplates: false };
  return objectType(mapping, around, required).text;
}

interface Surroundings {
  readonly indent: string;
  /** Whether fields that the mapping does not name are allowed, whatever it says. */
  readonly isOpen: boolean;
  /** How fields without a name in the mapping are treated, by the objects around them. */
  readonly dynamic: string;
  readonly hasTemplates: boolean;
}

interface FieldType {
  /** Empty if no document has the field. */
  readonly text: string;
  /** Whether a document has one value, whatever objects are around. */
  readonly isSingle: boolean;
}

function objectType(mapping: Json, around: Surroundings, required?: string): FieldType {
  const { dynamic = around.dynamic, properties, dynamic_templates: templates } = mapping;
  const within: Surroundings = {
    ...around,
    indent: `${around.indent}  `,
    dynamic: `${dynamic}`.toLowerCase(),
    hasTemplates: around.hasTemplates || listOf(templates).length > 0,
  };
  const { indent } = within;
  let isSingle = false;
  const members = Object.entries(objectOf(properties)).flatMap(([name, value]) => {
    const field = objectOf(value);
    if (name === required) return `${indent}${propertyName(name)}: ${dateType(field)};\n`;
    const type = fieldType(field, within);
    isSingle ||= type.isSingle;
    return type.text === "" ? [] : `${indent}${propertyName(name)}?: ${type.text};\n`;
  });
  if (allowsUnknown(within)) members.push(`${indent}[field: string]: unknown;\n`);
  const text = `{\n${members.join("")}${around.indent}}`;
  return { text: members.length === 0 ? "Record<string, never>" : text, isSingle };
}

function allowsUnknown({ isOpen, dynamic, hasTemplates }: Surroundings): boolean {
  if (isOpen || dynamic === "true" || dynamic === "runtime") return true;
  return hasTemplates && dynamic.endsWith("_allow_templates");
}

function fieldType(mapping: Json, around: Surroundings): FieldType {
  const type = `${mapping.type ?? "object"}`;
  if (type === "alias") return { text: "", isSingle: false };
  if (type !== "object" && type !== "nested") {
    const text = leafType(type, mapping);
    const isSingle = SINGLE.has(type);
    const isOnly = isSingle || text === "unknown" || type === "constant_keyword";
    return { text: isOnly ? text : `Field<${text}>`, isSingle };
  }
  if (`${mapping.enabled}` === "false") return { text: "unknown", isSingle: false };
  const { text, isSingle } = objectType(mapping, around);
  // Each object of a nested field is a document to the cluster.
  if (isSingle && type === "object") return { text: `${text} | null`, isSingle };
  return { text: `Field<${text}>`, isSingle: false };
}

/** Types of which a document has one value: lists are the value itself, or rejected, and so may be `null`. */
const SINGLE = new Set(
  ("dense_vector knn_vector rank_vectors rank_feature rank_features sparse_vector join histogram percolator " +
    "aggregate_metric_double").split(" "),
);

function leafType(type: string, mapping: Json): string {
  const known = TYPES[type];
  if (known !== undefined) return known;
  if (type === "date" || type === "date_nanos") return dateType(mapping);
  if (type === "date_range") return `Range<${dateType(mapping)}>`;
  if (type === "ip_range") return "string | Range<string>";
  if (type.endsWith("_range")) return "Range<number>";
  if (type === "completion") return completionType(listOf(mapping.contexts));
  if (type === "join") return joinType(objectOf(mapping.relations));
  if (type === "constant_keyword") {
    return mapping.value === undefined ? "string" : JSON.stringify(`${mapping.value}`);
  }
  return "unknown";
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
  const formats = (stringOf(format) ?? "strict_date_optional_time").split("||");
  const kinds = formats.map((one) => EPOCH.test(one.trim()) ? "number" : "string");
  return union(kinds.toSorted());
}

/** The cluster requires the contexts that the mapping has. */
function completionType(contexts: readonly unknown[]): string {
  if (contexts.length === 0) return "string | Completion";
  const members = contexts.map(objectOf).map(({ name, type }) => {
    const value = type === "geo" ? "GeoPoint" : "string";
    return `${propertyName(`${name}`)}: ${value} | readonly [${value}, ...${value}[]]`;
  });
  return `Completion & { contexts: { ${members.join("; ")} } }`;
}

/** The name of a parent, or a child with the id of its parent. */
function joinType(relations: Json): string {
  const children = Object.values(relations).flat().map(String);
  const parents = Object.keys(relations).filter((name) => !children.includes(name));
  const roots = literals(parents);
  return union([
    ...parents.length === 0 ? [] : [roots, `{ name: ${roots} }`],
    ...children.length === 0 ? [] : [`{ name: ${literals(children)}; parent: string }`],
  ]);
}
