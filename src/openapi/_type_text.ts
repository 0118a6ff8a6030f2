import type { JsonSchema } from "./types.ts";

/** The TypeScript type of values that fit a JSON Schema; references become names of types. */
export function typeText(json: unknown): string {
  if (typeof json !== "object" || json === null) return json === false ? "never" : "unknown";
  const schema = json as JsonSchema;
  if (typeof schema.$ref === "string") return typeName(schema.$ref.split("/").at(-1) ?? "");
  if ("const" in schema) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return union(schema.enum.map((value) => JSON.stringify(value)));
  for (const key of ["anyOf", "oneOf"]) {
    const parts = schema[key];
    if (Array.isArray(parts)) return union(parts.map(typeText));
  }
  if (Array.isArray(schema.allOf)) return schema.allOf.map(grouped).join(" & ");
  if (schema.not !== undefined) return "never";
  const { type } = schema;
  if (Array.isArray(type)) return union(type.map((one) => typeText({ ...schema, type: one })));
  if (type === "object" || schema.properties !== undefined) return objectText(schema);
  if (type === "array") return arrayText(schema);
  if (type === "integer") return "number";
  return typeof type === "string" && SCALARS.test(type) ? type : "unknown";
}

const SCALARS = /^(?:string|number|boolean|null)$/;

/** The name of a component as an identifier. */
export function typeName(component: string): string {
  const name = component.replace(/\W/g, "_");
  return /^\d/.test(name) ? `_${name}` : name;
}

/** The name of a property, quoted where it has to be. */
export function propertyName(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
}

function objectText({ properties = {}, required = [], additionalProperties }: JsonSchema): string {
  const fields = Object.entries(properties as object).map(([key, value]) => {
    const mark = (required as readonly string[]).includes(key) ? "" : "?";
    return `${propertyName(key)}${mark}: ${typeText(value)}`;
  });
  if (fields.length > 0) return `{ ${fields.join("; ")} }`;
  if (additionalProperties === false) return "Record<string, never>";
  return `{ [key: string]: ${typeText(additionalProperties)} }`;
}

function arrayText({ items, prefixItems }: JsonSchema): string {
  if (!Array.isArray(prefixItems)) return `${grouped(items)}[]`;
  const rest = items === undefined || items === false ? [] : [`...${grouped(items)}[]`];
  return `[${[...prefixItems.map(typeText), ...rest].join(", ")}]`;
}

function grouped(json: unknown): string {
  const text = typeText(json);
  return / [|&] /.test(text) ? `(${text})` : text;
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(" | ") || "never";
}
