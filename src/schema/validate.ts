import type { StandardSchemaV1 } from "@standard-schema/spec";
import { pointerToken } from "../text/mod.ts";
import { zodDefinition, zodParts } from "./zod.ts";

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

/** The path of an issue as a JSON pointer (RFC 6901); `""` is the whole value. */
export function pointerOf(issue: StandardSchemaV1.Issue): string {
  return (issue.path ?? []).map((part) => {
    const key = typeof part === "object" ? part.key : part;
    return `/${pointerToken(String(key))}`;
  }).join("");
}

type Validate = StandardSchemaV1["~standard"]["validate"];

/**
 * The function that validates with a schema. Zod tries a schema without waiting first and drops the promise of the first
 * asynchronous function; where that rejects the process would end, so somebody has to listen while it tries. A schema that
 * was asynchronous once is waited for from then on, so that its functions run once for each value.
 */
export function validatorOf(schema: StandardSchemaV1): Validate {
  const { validate, vendor } = schema["~standard"];
  if (vendor !== "zod") return validate;
  let functions: readonly Listened[] | undefined;
  let isAsync = false;
  return (value) => {
    if (isAsync) return validateLater(schema, value) ?? validate(value);
    // Not before: a schema may refer to what is declared after it.
    functions ??= functionsOf(schema);
    if (functions.length === 0) return validate(value);
    const result = listening(functions, () => validate(value));
    isAsync = result instanceof Promise;
    return result;
  };
}

type Result = StandardSchemaV1.Result<unknown>;

function validateLater(schema: StandardSchemaV1, value: unknown): Promise<Result> | undefined {
  const { safeParseAsync } = schema as Partial<Waiting>;
  return safeParseAsync?.call(schema, value).then((result): Result =>
    result.success ? { value: result.data } : { issues: result.error.issues }
  );
}

/** Of every schema of Zod. */
interface Waiting {
  safeParseAsync(value: unknown): Promise<
    { readonly success: true; readonly data: unknown } | {
      readonly success: false;
      readonly error: { readonly issues: readonly StandardSchemaV1.Issue[] };
    }
  >;
}

/** A function of a schema, and what stands in its place while somebody listens. */
interface Listened {
  readonly owner: object;
  readonly name: string;
  readonly heard: unknown;
}

/** The schema is the user's: it is as it was as soon as the call has returned. */
function listening<T>(functions: readonly Listened[], action: () => T): T {
  const before = functions.map(({ owner, name }) => recordOf(owner)[name]);
  try {
    for (const { owner, name, heard } of functions) Reflect.set(owner, name, heard);
    return action();
  } finally {
    functions.forEach(({ owner, name }, index) => Reflect.set(owner, name, before[index]));
  }
}

/** All functions in a schema of Zod, 4 or 3, that may give promises. */
function functionsOf(
  part: unknown,
  seen: Set<unknown> = new Set(),
  found: Listened[] = [],
): readonly Listened[] {
  const definition = zodDefinition(part);
  // A getter may make a new one each time.
  if (definition === undefined || seen.has(part) || seen.size > MOST_PARTS) return found;
  seen.add(part);
  const add = (owner: object, name: string) => {
    const called = recordOf(owner)[name];
    if (typeof called !== "function") return;
    // Schemas that were made of one another may share their definitions.
    if (found.some((one) => one.owner === owner && one.name === name)) return;
    found.push({ owner, name, heard: heard(called as Called, name === "run") });
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
  // What Zod itself takes of a lazy schema, and not another that its getter makes.
  for (const inner of [internals.innerType, ...parts]) functionsOf(inner, seen, found);
  return found;
}

const MOST_PARTS = 1000;

type Called = (...parameters: never[]) => unknown;

/** Gives what the function gives. */
function heard(called: Called, isRun: boolean): unknown {
  return function (this: unknown, ...parameters: never[]): unknown {
    const result = called.apply(this, parameters);
    if (!(result instanceof Promise)) return result;
    result.catch(() => {});
    // What is made of it on the way out would be dropped as well; Zod then waits for all.
    if (isRun && recordOf(parameters[1]).async === false) throw new TypeError(WAITS);
    return result;
  };
}

const WAITS = "Cannot validate without waiting: the schema has asynchronous functions";

function recordOf(value: unknown): Record<string, unknown> {
  return (value ?? {}) as Record<string, unknown>;
}
