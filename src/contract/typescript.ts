import { freeName } from "../openapi/mod.ts";
import type { JsonSchema } from "../schema/mod.ts";

/** The TypeScript type of values that fit a JSON Schema; references become names of types. */
export function typeText(json: unknown, names: TypeNames): string {
  const inner = (part: unknown) => typeText(part, names);
  if (typeof json !== "object" || json === null) return json === false ? "never" : "unknown";
  const schema = json as JsonSchema;
  if (typeof schema.$ref === "string") return names.of(schema.$ref.split("/").at(-1) ?? "");
  if ("const" in schema) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return union(schema.enum.map((value) => JSON.stringify(value)));
  for (const key of ["anyOf", "oneOf"]) {
    const parts = schema[key];
    if (Array.isArray(parts)) return union(parts.map(inner));
  }
  if (Array.isArray(schema.allOf)) {
    return schema.allOf.map((part) => grouped(part, names)).join(" & ");
  }
  if (schema.not !== undefined) return "never";
  const { type } = schema;
  if (Array.isArray(type)) return union(type.map((one) => inner({ ...schema, type: one })));
  if (type === "object" || schema.properties !== undefined) return objectText(schema, names);
  if (type === "array") return arrayText(schema, names);
  if (type === "integer") return "number";
  return typeof type === "string" && SCALARS.test(type) ? type : "unknown";
}

const SCALARS = /^(?:string|number|boolean|null)$/;

/** The name of a property, quoted where it has to be. */
export function propertyName(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
}

function objectText(
  { properties = {}, required = [], additionalProperties }: JsonSchema,
  names: TypeNames,
): string {
  const fields = Object.entries(properties as object).map(([key, value]) => {
    const mark = (required as readonly string[]).includes(key) ? "" : "?";
    return `${propertyName(key)}${mark}: ${typeText(value, names)}`;
  });
  if (fields.length > 0) return `{ ${fields.join("; ")} }`;
  if (additionalProperties === false) return "Record<string, never>";
  return `{ [key: string]: ${typeText(additionalProperties, names)} }`;
}

function arrayText({ items, prefixItems }: JsonSchema, names: TypeNames): string {
  if (!Array.isArray(prefixItems)) return `${grouped(items, names)}[]`;
  const rest = items === undefined || items === false ? [] : [`...${grouped(items, names)}[]`];
  return `[${[...prefixItems.map((part) => typeText(part, names)), ...rest].join(", ")}]`;
}

function grouped(json: unknown, names: TypeNames): string {
  const text = typeText(json, names);
  return / [|&] /.test(text) ? `(${text})` : text;
}

/** A type of these, each once. */
export function union(types: readonly string[]): string {
  return [...new Set(types)].join(" | ") || "never";
}

/** A text as an identifier, which may be a word of the language. */
export function identifier(text: string): string {
  return text.replace(/\W/g, "_").replace(/^(?=\d|$)/, "_");
}

/** The names of the types of a TypeScript module: one for each component. */
export class TypeNames {
  readonly #names = new Map<string, string>();
  readonly #taken: Set<string>;

  /** @param own names that the module has itself */
  constructor(own: readonly string[]) {
    this.#taken = new Set([...KEYWORDS, ...TYPES, ...own]);
  }

  /** The type of a component. */
  of(component: string): string {
    const known = this.#names.get(component);
    if (known !== undefined) return known;
    const name = freeName(identifier(component), this.#taken);
    this.#names.set(component, name);
    return name;
  }
}

/** Words that no identifier of a module may be (ECMAScript, 12.7.2). */
export const KEYWORDS: readonly string[] = [
  ..."break case catch class const continue debugger default delete do else enum export".split(" "),
  ..."extends false finally for function if import in instanceof new null return super".split(" "),
  ..."switch this throw true try typeof var void while with await yield let static".split(" "),
  ..."implements interface package private protected public arguments eval".split(" "),
];

/** Types of the language and of its globals that the module names, or that no other type may be named like. */
const TYPES: readonly string[] = [
  ..."any bigint boolean never number object string symbol undefined unknown".split(" "),
  ..."Blob Date ReadableStream Record Response Uint8Array globalThis".split(" "),
  ..."asserts infer is keyof readonly unique".split(" "),
];
