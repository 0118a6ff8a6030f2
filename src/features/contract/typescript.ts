import type { JsonSchema } from "../../schema/mod.ts";
import { freeName } from "../../text/mod.ts";
import { isToken } from "../openapi/mod.ts";
import { literals, propertyName, union } from "../../text/typescript.ts";

export class TypeWriter {
  readonly #names = new Map<string, string>();
  readonly #taken: Set<string> = new Set([...KEYWORDS, ...TYPES]);

  /** A token is written as it is, until the name is known. */
  name(component: string): string {
    if (isToken(component)) return component;
    const identifier = component.replace(/\W/g, "_").replace(/^(?=\d|$)/, "_");
    const name = this.#names.get(component) ?? freeName(identifier, this.#taken);
    this.#names.set(component, name);
    return name;
  }

  write(json: unknown): string {
    if (typeof json !== "object" || json === null) return json === false ? "never" : "unknown";
    const schema = json as JsonSchema;
    if (typeof schema.$ref === "string") return this.name(schema.$ref.split("/").at(-1) ?? "");
    const values = "const" in schema ? [schema.const] : schema.enum;
    if (Array.isArray(values)) return literals(values);
    const options = [schema.anyOf, schema.oneOf].find(Array.isArray);
    if (options !== undefined) return union(options.map((part) => this.write(part)));
    if (Array.isArray(schema.allOf)) {
      return schema.allOf.map((part) => this.#grouped(part)).join(" & ");
    }
    return schema.not === undefined ? this.#ofType(schema) : "never";
  }

  #ofType(schema: JsonSchema): string {
    const { type } = schema;
    if (Array.isArray(type)) return union(type.map((one) => this.write({ ...schema, type: one })));
    if (type === "object" || schema.properties !== undefined) return this.#objectText(schema);
    if (type === "array") return this.#arrayText(schema);
    return SCALARS[String(type)] ?? "unknown";
  }

  #objectText(schema: JsonSchema): string {
    const { properties = {}, required = [], additionalProperties, propertyNames } = schema;
    const fields = Object.entries(properties as object).map(([key, value]) => {
      const mark = (required as readonly string[]).includes(key) ? "" : "?";
      return `${propertyName(key)}${mark}: ${this.write(value)}`;
    });
    if (fields.length > 0) return `{ ${fields.join("; ")} }`;
    if (additionalProperties === false) return "Record<string, never>";
    const keys = this.write(propertyNames);
    const mark = (required as readonly string[]).length > 0 ? "" : "?";
    const key = /^(?:string|number|unknown)$/.test(keys)
      ? "key: string]"
      : `key in ${keys}]${mark}`;
    return `{ [${key}: ${this.write(additionalProperties)} }`;
  }

  #arrayText({ items, prefixItems }: JsonSchema): string {
    const rest = `${this.#grouped(items)}[]`;
    if (!Array.isArray(prefixItems)) return rest;
    const places = prefixItems.map((part) => this.write(part));
    const isClosed = items === undefined || items === false;
    return `[${[...places, ...(isClosed ? [] : [`...${rest}`])].join(", ")}]`;
  }

  #grouped(json: unknown): string {
    const text = this.write(json);
    return / [|&] /.test(text) ? `(${text})` : text;
  }
}

const SCALARS: Readonly<Record<string, string>> = {
  string: "string",
  number: "number",
  integer: "number",
  boolean: "boolean",
  null: "null",
};

const KEYWORDS: readonly string[] = [
  ..."break case catch class const continue debugger default delete do else enum export".split(" "),
  ..."extends false finally for function if import in instanceof new null return super".split(" "),
  ..."switch this throw true try typeof var void while with await yield let static".split(" "),
  ..."implements interface package private protected public arguments eval".split(" "),
];

/** Types of the language, its globals and names of the module that a type must not hide. */
const TYPES: readonly string[] = [
  ..."ContractTypes contract operations FilePart FormData".split(" "),
  ..."any bigint boolean never number object string symbol undefined unknown".split(" "),
  ..."Blob Date ReadableStream Record Response Uint8Array globalThis".split(" "),
  ..."asserts infer is keyof readonly unique".split(" "),
];
