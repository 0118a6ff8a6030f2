import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import { modelSchema } from "../web/mod.ts";
import { SchemaNameError } from "./errors.ts";
import type { Direction, JsonSchema, SchemaConverter } from "./types.ts";

/** Collects the named schemas of a document. */
export class Components {
  readonly #schemas = new Map<string, Component>();

  constructor(readonly convert?: SchemaConverter) {}

  /** All of them, by name. */
  get schemas(): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries(
      [...this.#schemas].sort(([a], [b]) => a < b ? -1 : 1).map(([name, { json }]) => [name, json]),
    );
  }

  /**
   * The schema as it stands in the document: a reference for a class made with `Model(schema)`.
   *
   * @param label names what refers to itself and has no name of its own
   * @throws {SchemaNameError} when another class has the name
   */
  schema(type: StandardSchemaV1, direction: Direction, label: string): JsonSchema {
    const model = modelSchema(type);
    const json = this.#json(model ?? type, direction);
    if (model === undefined) return this.#inline(json, label, type);
    const { name } = type as unknown as { readonly name: string };
    return this.#model(type, name, direction, json);
  }

  /** Adds a schema of the library's own and gives the reference. */
  own(name: string, json: JsonSchema): JsonSchema {
    return this.#add(name, { owner: json, label: `the library's '${name}'`, json });
  }

  /** What clients get of a model may differ from what they send: then it has a name of its own. */
  #model(owner: unknown, name: string, direction: Direction, json: JsonSchema): JsonSchema {
    const label = `the class '${name}'`;
    const known = this.#schemas.get(name);
    const placed = this.#place(json, name, owner, label);
    const fresh = known === undefined || known.owner !== owner;
    if (fresh || JSON.stringify(known.json) === JSON.stringify(placed)) {
      return this.#add(name, { owner, label, json: placed, direction });
    }
    if (known.direction === direction) return reference(name);
    const other = `${name}${direction === "output" ? "Output" : "Input"}`;
    const renamed = this.#place(json, other, owner, label);
    return this.#add(other, { owner, label, json: renamed, direction });
  }

  #inline(json: JsonSchema, label: string, owner: unknown): JsonSchema {
    if (!JSON.stringify(json).includes('"$ref":"#')) return withoutDialect(json);
    const placed = this.#place(json, label, owner, `the schema of '${label}'`);
    return this.#add(label, { owner, label: `the schema of '${label}'`, json: placed });
  }

  /** Moves definitions to the components, where references from anywhere reach them. */
  #place(json: JsonSchema, name: string, owner: unknown, label: string): JsonSchema {
    const { $defs, ...rest } = withoutDialect(json);
    const move = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(move);
      if (value === null || typeof value !== "object") return value;
      return Object.fromEntries(
        Object.entries(value).map(([key, inner]) => [
          key,
          key === "$ref" && typeof inner === "string" ? moved(inner, name) : move(inner),
        ]),
      );
    };
    for (const [key, definition] of Object.entries($defs ?? {})) {
      const json = move(definition) as JsonSchema;
      this.#add(`${name}_${key}`, { owner, label: `'${key}' of ${label}`, json });
    }
    return move(rest) as JsonSchema;
  }

  #add(name: string, component: Component): JsonSchema {
    const valid = validName(name);
    const known = this.#schemas.get(valid);
    if (known !== undefined && known.owner !== component.owner) {
      throw new SchemaNameError(
        `Cannot describe ${component.label} as '${valid}': ${known.label} has that name already, ` +
          "expected names that differ",
        valid,
      );
    }
    if (known === undefined) this.#schemas.set(valid, component);
    return reference(valid);
  }

  #json(schema: StandardSchemaV1, direction: Direction): JsonSchema {
    const given = this.convert?.(schema, direction);
    if (given !== undefined) return given;
    const { jsonSchema } = schema["~standard"] as Partial<StandardJSONSchemaV1["~standard"]>;
    try {
      return jsonSchema?.[direction](OPTIONS) ?? {};
    } catch {
      return {}; // The interface throws for what JSON Schema cannot say: then anything goes.
    }
  }
}

interface Component {
  readonly owner: unknown;
  readonly label: string;
  readonly json: JsonSchema;
  readonly direction?: Direction;
}

/** Zod gives up at what JSON cannot write, such as a `Date`, unless it is told not to. */
const OPTIONS: StandardJSONSchemaV1.Options = {
  target: "draft-2020-12",
  libraryOptions: { unrepresentable: "any" },
};

function withoutDialect({ $schema: _, ...rest }: JsonSchema): JsonSchema {
  return rest;
}

function reference(name: string): { readonly $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

/** Where a reference within one schema points to once its definitions are components. */
function moved(target: string, name: string): string {
  if (target === "#") return reference(validName(name)).$ref;
  const definition = /^#\/\$defs\/([^/]+)$/.exec(target)?.[1];
  if (definition === undefined) return target;
  return reference(validName(`${name}_${definition}`)).$ref;
}

/** What names of components may hold (OpenAPI 3.1, 4.8.7.1). */
function validName(name: string): string {
  return name.replace(/[^\w.-]/g, "_");
}
