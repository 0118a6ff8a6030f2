import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";

/** A JSON Schema (draft 2020-12). */
export type JsonSchema = Record<string, unknown>;

/** Which side of a schema is described: what it takes, or what it gives. */
export type Direction = "input" | "output";

/**
 * The JSON Schema of a schema that gives it (https://standardschema.dev/json-schema): dates are texts, as JSON has
 * them, marked by {@linkcode DATE_MARK}, and what it cannot say is anything.
 *
 * @param describe may change the JSON Schema of a part, given as the vendor's own object (Zod's alone)
 * @returns `undefined` where the schema gives none
 */
export function jsonSchemaOf(
  schema: StandardSchemaV1,
  direction: Direction,
  describe?: (part: unknown, json: JsonSchema) => void,
): JsonSchema | undefined {
  const { jsonSchema } = schema["~standard"] as Partial<StandardJSONSchemaV1["~standard"]>;
  const libraryOptions = {
    // Of Zod, which gives up at what JSON cannot write unless it is told not to.
    unrepresentable: "any",
    override({ zodSchema, jsonSchema }: ZodPart) {
      if (zodSchema._zod.def.type === "date") Object.assign(jsonSchema, DATE_TIME);
      describe?.(zodSchema, jsonSchema);
    },
    // Of ArkType.
    fallback: ({ code, base }: { readonly code: string; readonly base: JsonSchema }) =>
      code === "date" ? { ...base, ...DATE_TIME } : base,
  };
  try {
    return jsonSchema?.[direction]({ target: "draft-2020-12", libraryOptions });
  } catch {
    return undefined; // The interface throws for what JSON Schema cannot say.
  }
}

interface ZodPart {
  readonly zodSchema: { readonly _zod: { readonly def: { readonly type: string } } };
  readonly jsonSchema: JsonSchema;
}

/** Marks a `Date`: it is sent as JSON, unlike a text of the same format. */
export const DATE_MARK = "x-irori-date";

const DATE_TIME: JsonSchema = { type: "string", format: "date-time", [DATE_MARK]: true };
