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
import { nameOfToken } from "../text/mod.ts";
import { SchemaNameError } from "./errors.ts";
import type { DocumentOptions } from "./types.ts";

/** Collects the named schemas of a document. */
export class Components {
  readonly #schemas = new Map<string, Component>();
  /** Classes that are being described. */
  readonly #open = new Set<NamedModel>();

  readonly #dates = new WeakSet<JsonSchema>();
  /** Names of schemas of which nothing is known. */
  readonly #unknown = new Set<string>();

  constructor(readonly options: Pick<DocumentOptions, "jsonSchema" | "onUnknownSchema">) {}

  /** All of them, by name. */
  get schemas(): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries(
      [...this.#schemas].sort(([a], [b]) => a < b ? -1 : 1).map(([name, { json }]) => [name, json]),
    );
  }

  /**
   * The schema as it stands in the document: a reference for a class made with `Model(schema)`, and for one with a name
   * of its own (`.meta({ id })`).
   *
   * @param label names what refers to itself and has no name of its own
   * @throws {SchemaNameError} when another schema has the name
   */
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

  /** What a schema stands for, itself or where it refers to. */
  resolved(json: JsonSchema): JsonSchema {
    return this.#schemas.get(nameOf(json))?.json ?? json;
  }

  /** Whether values of a resolved schema are `Date`s. */
  isDate(json: JsonSchema): boolean {
    return this.#dates.has(json);
  }

  /** Adds a schema of the library's own and gives the reference. */
  own(name: string, json: JsonSchema): JsonSchema {
    return this.#add(name, { owner: json, label: `the library's own '${name}'`, json });
  }

  /** Adds what describes a class, such as that of a problem, and gives the reference. */
  ofClass(type: { readonly name: string }, json: JsonSchema): JsonSchema {
    return this.#add(type.name, { owner: type, label: `the class '${type.name}'`, json });
  }

  /** Has a name where what it stands around has one. */
  #composite(
    { part, suffix, describe }: Composite,
    owner: StandardSchemaV1,
    direction: Direction,
    label: string,
  ): JsonSchema {
    const inner = this.schema(part, direction, label);
    const json = describe(inner, (name, json) => this.own(name, json));
    if (inner.$ref === undefined) return json;
    const name = `${nameOf(inner)}${suffix}`;
    const described = `the ${suffix.toLowerCase()} of '${nameOf(inner)}'`;
    return reference(this.#named(name, owner, described, direction, () => json));
  }

  #model(type: NamedModel, direction: Direction): JsonSchema {
    if (this.#open.has(type)) return reference(type.name);
    this.#open.add(type);
    const json = this.#json(modelSchema(type) ?? type, direction, type.name, type);
    const named = this.#named(
      type.name,
      type,
      `the class '${type.name}'`,
      direction,
      (name) => this.#place(json, name, direction, type),
    );
    this.#open.delete(type);
    return reference(named);
  }

  /** What clients get may differ from what they send: then it has a name of its own. @returns the name */
  #named(
    name: string,
    owner: unknown,
    label: string,
    direction: Direction,
    render: (name: string) => JsonSchema,
    placed?: Set<string>,
  ): string {
    const json = render(name);
    const known = this.#schemas.get(validName(name));
    if (
      known !== undefined && known.owner === owner && comparable(known.json) === comparable(json)
    ) {
      // Keys that are not sent, but may be: what is true of both sides.
      if (JSON.stringify(known.json) !== JSON.stringify(json)) {
        this.#schemas.set(validName(name), { ...known, json: JSON.parse(comparable(json)) });
      }
      return name;
    }
    if (known?.owner === owner && known?.direction !== direction) {
      const other = `${name}${direction === "output" ? "Output" : "Input"}`;
      return this.#named(other, owner, label, direction, render, placed);
    }
    // What refers to itself is rendered anew once its name is known.
    if (known?.owner === owner && placed?.has(validName(name))) {
      this.#schemas.set(validName(name), { owner, label, json, direction });
      return name;
    }
    if (known !== undefined) throw sameName(validName(name), label, known.label);
    this.#add(name, { owner, label, json, direction });
    placed?.add(validName(name));
    return name;
  }

  /** Moves definitions to the components, where references from anywhere reach them. */
  #place(json: Described, name: string, direction: Direction, owner: unknown): JsonSchema {
    const { $defs, ...rest } = withoutDialect(json.json);
    const definitions = Object.entries($defs ?? {}) as [string, JsonSchema][];
    const names = new Map<string, string>();
    for (const [key] of definitions) {
      names.set(key, json.ids.has(key) ? key : `${name}_${key}`);
    }
    const move = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(move);
      if (value === null || typeof value !== "object") return value;
      const model = MODEL in value ? json.models[Number(value[MODEL])] : undefined;
      if (model !== undefined) {
        return model === json.type ? reference(name) : this.#model(model, direction);
      }
      const { [DATE_MARK]: isDate, ...members } = value as JsonSchema;
      const entries = Object.entries(members).map(([key, inner]) => {
        if (key !== "$ref" || typeof inner !== "string") return [key, move(inner)];
        return [key, moved(inner, name, names)];
      });
      const copy = Object.fromEntries(entries);
      if (isDate) this.#dates.add(copy);
      return copy;
    };
    for (const [key, definition] of definitions) {
      const model = json.models[Number(definition[MODEL])];
      if (model !== undefined) {
        names.set(key, model === json.type ? name : nameOf(this.#model(model, direction)));
      }
    }
    // What a named schema holds may get another name for this direction, and then so does the schema.
    const placed = new Set<string>();
    for (let before = ""; before !== [...names.values()].join();) {
      before = [...names.values()].join();
      for (const [key, definition] of definitions) {
        if (MODEL in definition) continue;
        const id = json.ids.has(key);
        const label = id ? `the schema with the id '${key}'` : `'${key}' of '${name}'`;
        const render = () => move(definition) as JsonSchema;
        if (!id) this.#replace(names.get(key) ?? key, { owner, label, json: render() });
        else names.set(key, this.#named(key, `id ${key}`, label, direction, render, placed));
      }
    }
    return move(rest) as JsonSchema;
  }

  #replace(name: string, component: Component): void {
    this.#add(name, component);
    this.#schemas.set(validName(name), component);
  }

  #add(name: string, component: Component): JsonSchema {
    const valid = validName(name);
    const known = this.#schemas.get(valid);
    if (known !== undefined && known.owner !== component.owner) {
      throw sameName(valid, component.label, known.label);
    }
    if (known === undefined) this.#schemas.set(valid, component);
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

/** A JSON Schema with what its vendor's objects said of its parts. */
interface Described {
  readonly json: JsonSchema;
  /** Classes, by the numbers that `MODEL` has in the JSON Schema. */
  readonly models: readonly NamedModel[];
  /** Definitions with names of their own. */
  readonly ids: ReadonlySet<string>;
  /** The class that it describes. */
  readonly type?: NamedModel;
}

type NamedModel = StandardSchemaV1 & { readonly name: string };

const MODEL = "x-irori-model";

/** Zod's `.meta({ id })`. */
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
    `Cannot describe ${label} as '${name}': ${known} has that name already, expected names that differ`,
    name,
  );
}

interface Component {
  readonly owner: unknown;
  readonly label: string;
  readonly json: JsonSchema;
  readonly direction?: Direction;
}

function withoutDialect({ $schema: _, ...rest }: JsonSchema): JsonSchema {
  return rest;
}

function reference(name: string): { readonly $ref: string } {
  return { $ref: `#/components/schemas/${validName(name)}` };
}

/** Where a reference within one schema points to once its definitions are components. */
function moved(target: string, name: string, names: ReadonlyMap<string, string>): string {
  if (target === "#") return reference(name).$ref;
  const written = /^#\/\$defs\/(.+)$/.exec(target)?.[1];
  if (written === undefined) return target;
  // As pointers have it (RFC 6901, 3), or, of Zod, as it is.
  const definition = names.has(written) ? written : nameOfToken(written);
  return reference(names.get(definition) ?? `${name}_${definition}`).$ref;
}

function nameOf({ $ref }: JsonSchema): string {
  return String($ref).slice("#/components/schemas/".length);
}

/** What names of components may hold (OpenAPI 3.1, 4.8.7.1). */
function validName(name: string): string {
  return name.replace(/[^\w.-]/g, "_");
}

/**
 * The name, or, where it is taken, the first of `name_2`, `name_3` and so on that is not; it is taken then.
 *
 * @param taken names that are
 */
export function freeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let count = 2; taken.has(free); count++) free = `${name}_${count}`;
  taken.add(free);
  return free;
}
