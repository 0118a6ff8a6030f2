import type { StandardSchemaV1 } from "@standard-schema/spec";
import { zodDefinition, zodParts } from "./zod.ts";

type Validate = StandardSchemaV1["~standard"]["validate"];

/**
 * The function that validates with a schema. Zod tries a schema without waiting first and drops the promise of the first
 * asynchronous check; where that rejects the process would end, so somebody has to listen.
 */
export function validatorOf(schema: StandardSchemaV1): Validate {
  const { validate, vendor } = schema["~standard"];
  if (vendor !== "zod") return validate;
  let isHeard = false;
  return (value) => {
    // Not before: a schema may refer to what is declared after it.
    if (!isHeard) hear(schema);
    isHeard = true;
    return validate(value);
  };
}

const HEARD = new WeakSet<object>();

/** Listens to the promises of all functions in a schema of Zod, 4 or 3, which give what they gave. */
function hear(part: unknown): void {
  const definition = zodDefinition(part);
  if (definition === undefined || HEARD.has(part as object)) return;
  HEARD.add(part as object);
  const internals = recordOf(recordOf(part)._zod);
  if (definition.check === "custom") wrap(internals, "check");
  if (definition.transform || definition.type === "promise") wrap(internals, "run");
  wrap(definition, "transform");
  if (definition.effect) {
    wrap(definition.effect, "refinement");
    wrap(definition.effect, "transform");
  }
  for (const [, inner] of zodParts(definition)) hear(inner);
}

function wrap(owner: object, name: string): void {
  const called = recordOf(owner)[name];
  if (typeof called !== "function" || HEARD.has(called)) return;
  const heard = function (this: unknown, ...parameters: unknown[]): unknown {
    const result = called.apply(this, parameters);
    if (!(result instanceof Promise)) return result;
    result.catch(() => {});
    // What is made of it on the way out would be dropped as well.
    if (name === "run" && recordOf(parameters[1]).async === false) throw new TypeError(WAITS);
    return result;
  };
  HEARD.add(heard);
  Reflect.set(owner, name, heard);
}

const WAITS = "Cannot validate without waiting: the schema has asynchronous functions";

function recordOf(value: unknown): Record<string, unknown> {
  return (value ?? {}) as Record<string, unknown>;
}
