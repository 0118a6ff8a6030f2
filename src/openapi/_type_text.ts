import type { TypeNames } from "./_names.ts";
import type { JsonSchema } from "./types.ts";

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
