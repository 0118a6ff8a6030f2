import type { StandardSchemaV1 } from "@standard-schema/spec";
import {
  type Composite,
  compositeOf,
  DATE_MARK,
  type Direction,
  type JsonSchema,
  jsonSchemaOf,
  modelSchema,
} from "../schema/mod.ts";
import type { ProblemClass } from "../http/mod.ts";
import { freeName, nameOfToken } from "../text/mod.ts";
import type { Content, DocumentOptions, ResponseObject } from "./types.ts";

export class Components {
  readonly #schemas = new Map<string, Component>();
  readonly #open = new Set<NamedModel>();

  readonly #dates = new WeakSet<JsonSchema>();
  readonly #unknown = new Set<string>();
  readonly responses: Record<string, ResponseObject> = {};
  readonly #responseNames = new Map<ProblemClass, string>();

  constructor(readonly options: Pick<DocumentOptions, "jsonSchema" | "onUnknownSchema">) {}

  get schemas(): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries(
      [...this.#schemas].sort(([a], [b]) => a < b ? -1 : 1).map(([name, { json }]) => [name, json]),
    );
  }

  /** A reference if it is named by `Model(schema)` or `.meta({ id })`. @throws {SchemaNameError} */
  schema(type: StandardSchemaV1, direction: Direction, label: string): JsonSchema {
    if (modelSchema(type)) return this.#model(type as NamedModel, direction);
    const around = compositeOf(type);
    if (around) return this.#composite(around, type, direction, label);
    const json = this.#json(type, direction, label);
    if (!refersToItself(json)) return this.#place(json, label, direction, type);
    const described = `the schema of '${label}'`;
    const placed = this.#place(json, label, direction, type);
    return this.#add(label, { owner: type, label: described, json: placed });
  }

  resolved(json: JsonSchema): JsonSchema {
    return this.#schemas.get(nameOf(json))?.json ?? json;
  }

  /** Refers to a response that operations share; `make` is called for the first one. */
  response(owner: ProblemClass, make: () => Content): string {
    const known = this.#responseNames.get(owner);
    const name = known ?? freeName(validName(owner.name), new Set(Object.keys(this.responses)));
    const { status, title = status.reasonPhrase } = owner.problem;
    if (known === undefined) this.responses[name] = { description: title, content: make() };
    this.#responseNames.set(owner, name);
    return `#/components/responses/${name}`;
  }

  isDate(json: JsonSchema): boolean {
    return this.#dates.has(json);
  }

  own(name: string, json: JsonSchema): JsonSchema {
    return this.#add(name, { owner: json, label: `the library's own '${name}'`, json });
  }

  ofClass(type: { readonly name: string }, json: JsonSchema): JsonSchema {
    return this.#add(type.name, { owner: type, label: `the class '${type.name}'`, json });
  }

  #composite(
    { part, suffix, describe }: Composite,
    owner: StandardSchemaV1,
    direction: Direction,
    label: string,
  ): JsonSchema {
    const inner = this.schema(part, direction, label);
    const json = describe(inner, (name, json) => this.own(name, json));
    if (inner.$ref === undefined) return json;
    const described = `the ${suffix.toLowerCase()} of '${nameOf(inner)}'`;
    const named = { owner, label: described, direction, render: () => json };
    return reference(this.#named(`${nameOf(inner)}${suffix}`, named));
  }

  #model(type: NamedModel, direction: Direction): JsonSchema {
    if (this.#open.has(type)) return reference(type.name);
    this.#open.add(type);
    const json = this.#json(modelSchema(type) ?? type, direction, type.name, type);
    const render = (name: string) => this.#place(json, name, direction, type);
    const label = `the class '${type.name}'`;
    const name = this.#named(type.name, { owner: type, label, direction, render });
    this.#open.delete(type);
    return reference(name);
  }

  #named(name: string, named: Named): string {
    const { owner, label, direction, render, placed } = named;
    const json = render(name);
    const valid = validName(name);
    const known = this.#schemas.get(valid);
    const isOwn = known?.owner === owner;
    if (known && isOwn && comparable(known.json) === comparable(json)) {
      // Only the members that input and output have in common.
      if (JSON.stringify(known.json) !== JSON.stringify(json)) {
        this.#schemas.set(valid, { ...known, json: JSON.parse(comparable(json)) });
      }
    } else if (isOwn && known?.direction !== direction) {
      return this.#named(`${name}${direction === "output" ? "Output" : "Input"}`, named);
    } // A schema that refers to itself is rendered again once its name is known.
    else if (known && !(isOwn && placed?.has(valid))) throw sameName(valid, label, known.label);
    else {
      this.#schemas.set(valid, { owner, label, json, direction });
      placed?.add(valid);
    }
    return name;
  }

  #place(json: Described, name: string, direction: Direction, owner: unknown): JsonSchema {
    const { $schema: _, $defs, ...rest } = json.json;
    const definitions = Object.entries($defs ?? {}) as [string, JsonSchema][];
    const names = new Map(
      definitions.map(([key]) => [key, json.ids.has(key) ? key : `${name}_${key}`]),
    );
    const modelIn = (value: object) => json.models[Number((value as JsonSchema)[MODEL])];
    const referTo = (model: NamedModel) =>
      model === json.type ? reference(name) : this.#model(model, direction);
    const move = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(move);
      if (value === null || typeof value !== "object") return value;
      const model = modelIn(value);
      if (model !== undefined) return referTo(model);
      const { [DATE_MARK]: isDate, ...members } = value as JsonSchema;
      const copy = Object.fromEntries(
        Object.entries(members).map(([key, inner]) => {
          const isReference = key === "$ref" && typeof inner === "string";
          return [key, isReference ? moved(inner, name, names) : move(inner)];
        }),
      );
      if (isDate) this.#dates.add(copy);
      return copy;
    };
    for (const [key, definition] of definitions) {
      const model = modelIn(definition);
      if (model !== undefined) names.set(key, nameOf(referTo(model)));
    }
    // A part may get another name for this direction, and then the schemas that contain it do too.
    const placed = new Set<string>();
    for (let before = ""; before !== [...names.values()].join();) {
      before = [...names.values()].join();
      for (const [key, definition] of definitions) {
        if (MODEL in definition) continue;
        const render = () => move(definition) as JsonSchema;
        if (json.ids.has(key)) {
          const label = `the schema with the id '${key}'`;
          const named = { owner: `id ${key}`, label, direction, render, placed };
          names.set(key, this.#named(key, named));
        } else {
          const component = { owner, label: `'${key}' of '${name}'`, json: render() };
          this.#add(names.get(key) ?? key, component, true);
        }
      }
    }
    return move(rest) as JsonSchema;
  }

  #add(name: string, component: Component, replaces = false): JsonSchema {
    const valid = validName(name);
    const known = this.#schemas.get(valid);
    if (known !== undefined && known.owner !== component.owner) {
      throw sameName(valid, component.label, known.label);
    }
    if (known === undefined || replaces) this.#schemas.set(valid, component);
    return reference(valid);
  }

  #json(
    schema: StandardSchemaV1,
    direction: Direction,
    label: string,
    type?: NamedModel,
  ): Described {
    const models: NamedModel[] = [];
    const ids = new Set<string>();
    const json = this.options.jsonSchema?.(schema, direction) ??
      jsonSchemaOf(schema, direction, (part, json) => {
        if (modelSchema(part)) json[MODEL] = models.push(part as NamedModel) - 1;
        const id = idOf(part);
        if (id !== undefined) ids.add(id);
      });
    if (json === undefined && !this.#unknown.has(label)) {
      this.#unknown.add(label);
      this.options.onUnknownSchema?.(label);
    }
    return { json: json ?? {}, models, ids, type };
  }
}

interface Described {
  readonly json: JsonSchema;
  /** Classes; `MODEL` in the JSON Schema is an index. */
  readonly models: readonly NamedModel[];
  readonly ids: ReadonlySet<string>;
  readonly type?: NamedModel;
}

type NamedModel = StandardSchemaV1 & { readonly name: string };

const MODEL = "x-irori-model";

function idOf(part: unknown): string | undefined {
  const { meta } = part as { readonly meta?: () => { readonly id?: string } | undefined };
  return typeof meta === "function" ? meta.call(part)?.id : undefined;
}

function refersToItself({ json }: Described): boolean {
  return JSON.stringify(json).includes('"$ref":"#"');
}

function comparable(json: JsonSchema): string {
  return JSON.stringify(
    json,
    (key, value) => key === "additionalProperties" && value === false ? undefined : value,
  );
}

function sameName(name: string, label: string, known: string): SchemaNameError {
  return new SchemaNameError(
    `Cannot describe ${label} as '${name}': ${known} has that name already, expected unique names`,
    name,
  );
}

interface Named {
  readonly owner: unknown;
  readonly label: string;
  readonly direction: Direction;
  render(name: string): JsonSchema;
  /** The names that were added for one schema, which may be rendered again. */
  readonly placed?: Set<string>;
}

interface Component {
  readonly owner: unknown;
  readonly label: string;
  readonly json: JsonSchema;
  readonly direction?: Direction;
}

function reference(name: string): { readonly $ref: string } {
  return { $ref: `#/components/schemas/${validName(name)}` };
}

function moved(target: string, name: string, names: ReadonlyMap<string, string>): string {
  if (target === "#") return reference(name).$ref;
  const written = /^#\/\$defs\/(.+)$/.exec(target)?.[1];
  if (written === undefined) return target;
  // Zod does not escape names as pointers do (RFC 6901, 3).
  const definition = names.has(written) ? written : nameOfToken(written);
  return reference(names.get(definition) ?? `${name}_${definition}`).$ref;
}

function nameOf({ $ref }: JsonSchema): string {
  return String($ref).slice("#/components/schemas/".length);
}

/** The name with the characters that components allow (OpenAPI 3.1, 4.8.7.1). */
function validName(name: string): string {
  return name.replace(/[^\w.-]/g, "_");
}

/** Thrown when two schemas of a document would have one name. */
export class SchemaNameError extends Error {
  override readonly name = "SchemaNameError";

  /** @param message names both schemas */
  constructor(
    message: string,
    readonly schemaName: string,
  ) {
    super(message);
  }
}
