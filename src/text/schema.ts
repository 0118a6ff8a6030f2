import type { StandardSchemaV1 } from "@standard-schema/spec";

/** Whether `value` follows the Standard Schema (https://standardschema.dev). ArkType's are functions. */
export function isSchema(value: unknown): value is StandardSchemaV1 {
  return value !== null && (typeof value === "object" || typeof value === "function") &&
    "~standard" in value;
}
