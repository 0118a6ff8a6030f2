import type { StandardSchemaV1 } from "@standard-schema/spec";
import {
  compositeOf,
  DATE_MARK,
  type Direction,
  type JsonSchema,
  jsonSchemaOf,
  metaOf,
  modelSchema,
} from "../../schema/mod.ts";
import type { ProblemClass } from "../../http/mod.ts";
import { freeName, nameOfToken } from "../../text/mod.ts";
import {
  type Component,
  nameComponents,
  type NamedSchemas,
  reference,
  SchemaNameError,
  tokenIn,
  tokenOf,
  validName,
} from "./component_names.ts";
import type { Content, DocumentOptions, ResponseObject } from "./types.ts";

export class Components {
  readonly #all = new Map<string, Component>();
  readonly #known = new Map<unknown, Map<string, Component>>();
  readonly #dates = new WeakSet<JsonSchema>();
  readonly responses: Record<string, ResponseObject> = {};
  readonly #responseNames = new Map<string, string>();

  readonly #onUnknown: DocumentOptions["onUnknownSchema"];

  constructor(readonly options: Pick<DocumentOptions, "jsonSchema" | "onUnknownSchema">) {
    this.#onUnknown = once(options.onUnknownSchema);
  }

  named(text: string): NamedSchemas {
    return nameComponents(this.#all, text);
  }

  /** A reference if it is named by `Model(schema)` or `.meta({ id })`. */
  schema(type: StandardSchemaV1, direction: Direction, label: string): JsonSchema {
    if (modelSchema(type)) return this.#model(type as NamedModel, direction);
    const around = compositeOf(type);
    if (around) {
      const inner = this.schema(around.part, direction, label);
      const json = around.describe(inner, (name, json) => this.own(name, json));
      const element = this.#all.get(tokenIn(inner))?.name;
      if (element === undefined) return json;
      const made = { name: `${element}${around.suffix}`, owner: type, direction };
      return this.#refer(type, "", made, () => json);
    }
    const found = this.#json(type, direction, label);
    if (!refersToItself(found)) return this.#place(found, type, direction, label);
    return this.#refer(type, "", { name: label, owner: type, direction }, (self) => {
      return this.#place(found, type, direction, label, self);
    });
  }

  resolved(json: JsonSchema): JsonSchema {
    const component = this.#all.get(tokenIn(json));
    return component === undefined ? json : this.resolved(component.json);
  }

  /** Refers to a response that operations share. */
  response({ name, problem: { status, title } }: ProblemClass, content: Content): string {
    const key = `${name} ${JSON.stringify(content)}`;
    const known = this.#responseNames.get(key) ??
      freeName(validName(name), new Set(Object.keys(this.responses)));
    this.responses[known] ??= { description: title ?? status.reasonPhrase, content };
    this.#responseNames.set(key, known);
    return `#/components/responses/${known}`;
  }

  isDate(json: JsonSchema): boolean {
    return this.#dates.has(json);
  }

  own(name: string, json: JsonSchema): JsonSchema {
    return this.#refer(json, "", { name, owner: json }, () => json);
  }

  ofClass(type: { readonly name: string }, json: JsonSchema): JsonSchema {
    return this.#refer(type, "class", { ...named(type), owner: type }, () => json);
  }

  #model(type: NamedModel, direction: Direction): JsonSchema {
    return this.#refer(type, "", { ...named(type), owner: type, direction }, (self) => {
      const found = this.#json(modelSchema(type) ?? type, direction, type.name);
      return this.#place(found, type, direction, type.name, self);
    });
  }

  #refer(
    identity: unknown,
    key: string,
    made: Omit<Component, "json" | "index">,
    render: (self: JsonSchema) => JsonSchema,
  ): JsonSchema {
    const variants = this.#known.get(identity) ?? new Map<string, Component>();
    this.#known.set(identity, variants);
    const variant = `${made.direction} ${key}`;
    const known = variants.get(variant);
    if (known) return reference(known);
    const component: Component = { ...made, index: this.#all.size, json: {} };
    this.#all.set(tokenOf(component.index), component);
    variants.set(variant, component);
    component.json = render(reference(component));
    return reference(component);
  }

  #place(
    { json, models, ids }: Described,
    owner: StandardSchemaV1,
    direction: Direction,
    name: string,
    self?: JsonSchema,
  ): JsonSchema {
    const { $schema: _, $defs, ...root } = json;
    const definitions = new Map(Object.entries($defs ?? {}) as [string, JsonSchema][]);
    const define = (key: string, definition: JsonSchema): JsonSchema => {
      const id = ids.get(key);
      const made = id === undefined
        ? { name: `${name}_${key}`, owner }
        : { name: key, label: `the schema with the id '${key}'`, owner: `id ${key}` };
      const render = () => move(definition) as JsonSchema;
      return this.#refer(id ?? owner, id ? "" : key, { ...made, direction }, render);
    };
    const refer = (target: string): string => {
      if (target === "#" && self) return String(self.$ref);
      const written = /^#\/\$defs\/(.+)$/.exec(target)?.[1] ?? "";
      // Zod does not escape names as pointers do (RFC 6901, 3).
      const key = definitions.has(written) ? written : nameOfToken(written);
      const definition = definitions.get(key);
      if (definition === undefined) return target;
      return String((modelIn(definition) ?? define(key, definition)).$ref);
    };
    const modelIn = (value: object) => {
      const model = models[Number((value as JsonSchema)[MODEL])];
      return model && this.#model(model, direction);
    };
    const move = (value: unknown, keyword = ""): unknown => {
      if (typeof value !== "object" || value === null || DATA.has(keyword)) return value;
      if (Array.isArray(value)) return value.map((item) => move(item));
      const model = modelIn(value);
      if (model !== undefined) return model;
      const { [DATE_MARK]: isDate, ...members } = value as JsonSchema;
      const copy = Object.fromEntries(
        Object.entries(members).map(([key, inner]) => {
          const isReference = key === "$ref" && typeof inner === "string";
          return [key, isReference ? refer(inner) : move(inner, NAMES.has(keyword) ? "" : key)];
        }),
      );
      if (isDate) this.#dates.add(copy);
      if (isWide(copy)) copy.format = "int64";
      return copy;
    };
    return move(root) as JsonSchema;
  }

  #json(schema: StandardSchemaV1, direction: Direction, label: string): Described {
    const models: NamedModel[] = [];
    const ids = new Map<string, unknown>();
    const json = this.options.jsonSchema?.(schema, direction) ??
      jsonSchemaOf(schema, direction, (part, json) => {
        if (modelSchema(part)) json[MODEL] = models.push(part as NamedModel) - 1;
        const id = metaOf(part)?.id;
        if (typeof id === "string") ids.set(id, part);
      }, (error) => {
        const [, id] = /Duplicate schema id "(.*?)"/.exec(String(error)) ?? [];
        if (id === undefined) return;
        const found = `two of its schemas have the id '${id}', expected unique ids`;
        throw new SchemaNameError(`Cannot describe '${label}': ${found}`, id);
      });
    if (json === undefined) this.#onUnknown?.(label);
    return { json: json ?? {}, models, ids };
  }
}

export function once(
  report: DocumentOptions["onUnknownSchema"],
): DocumentOptions["onUnknownSchema"] {
  const reported = new Set<string>();
  return report && ((name) => {
    if (reported.size < reported.add(name).size) report(name);
  });
}

interface Described {
  readonly json: JsonSchema;
  /** Classes; `MODEL` in the JSON Schema is an index. */
  readonly models: readonly NamedModel[];
  readonly ids: ReadonlyMap<string, unknown>;
}

type NamedModel = StandardSchemaV1 & { readonly name: string };

const MODEL = "x-irori-model";

/** Members of a JSON Schema that are values, and those that have schemas by names. */
const DATA = new Set(["default", "const", "enum", "examples", "example"]);
const NAMES = new Set(["properties", "patternProperties", "dependentSchemas", "$defs"]);

/** Whether 32 bits cannot hold an integer. Narrower ones need no format, as they have bounds. */
function isWide({ type, format, ...json }: JsonSchema): boolean {
  if (format !== undefined || ![type].flat().includes("integer")) return false;
  const { minimum = json.exclusiveMinimum, maximum = json.exclusiveMaximum } = json;
  const values = json.enum ?? ("const" in json ? [json.const] : [minimum, maximum]);
  return (values as readonly unknown[]).some((value) => value !== (Number(value) | 0));
}

function named({ name }: { readonly name: string }) {
  return { name, label: `the class '${name}'` };
}

function refersToItself({ json }: Described): boolean {
  return JSON.stringify(json).includes('"$ref":"#"');
}
