import type { StandardSchemaV1 } from "@standard-schema/spec";
import { validatorOf } from "./validator.ts";

/** Whether `value` follows the Standard Schema (https://standardschema.dev). ArkType's are functions. */
export function isSchema(value: unknown): value is StandardSchemaV1 {
  return value !== null && (typeof value === "object" || typeof value === "function") &&
    "~standard" in value;
}

/**
 * What a schema says of a value, where nobody can wait for it.
 *
 * @param what could not be done, as it begins a message
 * @throws {TypeError} for a schema that is asynchronous or fails; what it said may repeat the value, and is left out
 */
export function validateNow<S extends StandardSchemaV1>(
  schema: S,
  value: unknown,
  what: string,
): StandardSchemaV1.Result<StandardSchemaV1.InferOutput<S>> {
  let result: StandardSchemaV1.Result<unknown> | Promise<StandardSchemaV1.Result<unknown>>;
  try {
    result = validatorOf(schema)(value);
  } catch (error) {
    const name = error instanceof Error ? error.name : typeof error;
    throw new TypeError(`${what}: the schema failed with ${name}`);
  }
  if (!(result instanceof Promise)) {
    return result as StandardSchemaV1.Result<StandardSchemaV1.InferOutput<S>>;
  }
  result.catch(() => {}); // Unheard, it would end the process.
  throw new TypeError(`${what}: expected a schema that is not asynchronous`);
}
