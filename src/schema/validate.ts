import type { StandardSchemaV1 } from "@standard-schema/spec";
import { pointerToken } from "../text/mod.ts";
import { MOST_PARTS } from "./part.ts";
import { zodDefinition, zodParts } from "./zod.ts";

/** Validates synchronously. @throws {TypeError} without the message of the schema, which may contain the value */
export function validateNow<S extends StandardSchemaV1>(
  schema: S,
  value: unknown,
  what: string,
): StandardSchemaV1.Result<StandardSchemaV1.InferOutput<S>> {
  let result: Result | Promise<Result>;
  try {
    result = validatorOf(schema)(value);
  } catch (error) {
    const name = error instanceof Error ? error.name : typeof error;
    throw new TypeError(`${what}: the schema failed with ${name}`);
  }
  if (result instanceof Promise) {
    result.catch(() => {}); // An unhandled rejection would end the process.
    throw new TypeError(`${what}: expected a synchronous schema`);
  }
  return result as StandardSchemaV1.Result<StandardSchemaV1.InferOutput<S>>;
}

/** The path of an issue as a JSON pointer (RFC 6901); `""` is the whole value. */
export function pointerOf(issue: StandardSchemaV1.Issue): string {
  return (issue.path ?? []).map((part) => {
    return `/${pointerToken(String(typeof part === "object" ? part.key : part))}`;
  }).join("");
}

type Validate = StandardSchemaV1["~standard"]["validate"];

/**
 * The function that validates with a schema. Zod first tries a schema synchronously and drops the promise of the first
 * asynchronous function. Its rejection would end the process, so the functions are watched during the attempt. A schema
 * that was asynchronous once is validated asynchronously from then on, so that its functions run once for each value.
 */
export function validatorOf(schema: StandardSchemaV1): Validate {
  const { validate, vendor } = schema["~standard"];
  if (vendor !== "zod") return validate;
  let functions: readonly Watched[] | undefined;
  let isAsync = false;
  return (value) => {
    if (isAsync) return validateLater(schema, value) ?? validate(value);
    // At the first use, as a schema may refer to later declarations.
    functions ??= functionsOf(schema);
    if (functions.length === 0) return validate(value);
    const result = watching(functions, () => validate(value));
    isAsync = result instanceof Promise;
    return result;
  };
}

type Result = StandardSchemaV1.Result<unknown>;

function validateLater(schema: StandardSchemaV1, value: unknown): Promise<Result> | undefined {
  const { safeParseAsync } = schema as Partial<ZodSchema>;
  return safeParseAsync?.call(schema, value).then(({ data, error }): Result =>
    error ? { issues: error.issues } : { value: data }
  );
}

interface ZodSchema {
  safeParseAsync(value: unknown): Promise<
    {
      readonly data?: unknown;
      readonly error?: { readonly issues: readonly StandardSchemaV1.Issue[] };
    }
  >;
}

interface Watched {
  readonly owner: object;
  readonly name: string;
  readonly replacement: unknown;
}

/** The schema belongs to the application, and is restored before the call returns. */
function watching<T>(functions: readonly Watched[], action: () => T): T {
  const before = functions.map(({ owner, name }) => recordOf(owner)[name]);
  try {
    for (const { owner, name, replacement } of functions) Reflect.set(owner, name, replacement);
    return action();
  } finally {
    functions.forEach(({ owner, name }, index) => Reflect.set(owner, name, before[index]));
  }
}

function functionsOf(
  part: unknown,
  seen: Set<unknown> = new Set(),
  found: Watched[] = [],
): readonly Watched[] {
  const definition = zodDefinition(part);
  if (definition === undefined || seen.has(part) || seen.size > MOST_PARTS) return found;
  seen.add(part);
  const add = (owner: object, name: string) => {
    const called = recordOf(owner)[name];
    if (typeof called !== "function") return;
    // Derived schemas may share a definition.
    if (found.some((one) => one.owner === owner && one.name === name)) return;
    found.push({ owner, name, replacement: watched(called as Called, name === "run") });
  };
  const internals = recordOf(recordOf(part)._zod);
  if (definition.check === "custom") add(internals, "check");
  if (definition.transform || definition.type === "promise") add(internals, "run");
  add(definition, "transform");
  if (definition.effect) {
    add(definition.effect, "refinement");
    add(definition.effect, "transform");
  }
  const parts = zodParts(definition).map(([, inner]) => inner);
  // Zod uses this schema of a lazy one, and its getter may return another.
  for (const inner of [internals.innerType, ...parts]) functionsOf(inner, seen, found);
  return found;
}

type Called = (...parameters: never[]) => unknown;

function watched(called: Called, isRun: boolean): unknown {
  return function (this: unknown, ...parameters: never[]): unknown {
    const result = called.apply(this, parameters);
    if (!(result instanceof Promise)) return result;
    result.catch(() => {});
    // Zod would drop the promise; after an error it waits for all.
    if (isRun && recordOf(parameters[1]).async === false) throw new TypeError(WAITS);
    return result;
  };
}

const WAITS = "Cannot validate without waiting: the schema has asynchronous functions";

function recordOf(value: unknown): Record<string, unknown> {
  return (value ?? {}) as Record<string, unknown>;
}
