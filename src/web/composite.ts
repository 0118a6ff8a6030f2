import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { JsonSchema } from "./json_schema.ts";
import { modelSchema } from "./model.ts";

/** A schema that stands around another one and can say how: the page of something. */
export interface Composite {
  /** What it stands around. */
  readonly part: StandardSchemaV1;
  /** Where that is, as a pointer with `*` for any item. */
  readonly pointer: string;
  /** Behind the name of what it stands around, for a name of its own. */
  readonly suffix: string;
  /**
   * Its JSON Schema, around that of the part.
   *
   * @param own gives a reference to a schema of the library's own
   */
  describe(part: JsonSchema, own: (name: string, json: JsonSchema) => JsonSchema): JsonSchema;
}

// Shared by all copies of this library, as the schemas of models are.
const COMPOSITE = Symbol.for("irori: parts of the composite schema");

/** Makes a schema one that stands around another one. */
export function composite<S extends StandardSchemaV1>(schema: S, parts: Composite): S {
  return Object.defineProperty(schema, COMPOSITE, { value: parts });
}

/** What {@linkcode composite} was told of a schema; `undefined` for all others. */
export function compositeOf(schema: object): Composite | undefined {
  return (schema as { readonly [COMPOSITE]?: Composite })[COMPOSITE];
}

/** Whose schema decides what values look like: that of a model, or what a composite stands around. */
export function vendorOf(schema: StandardSchemaV1): string {
  const inner = modelSchema(schema) ?? compositeOf(schema)?.part;
  return inner ? vendorOf(inner) : schema["~standard"].vendor;
}
