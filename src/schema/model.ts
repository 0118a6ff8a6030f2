import type { StandardSchemaV1 } from "@standard-schema/spec";
import { followedBy } from "../text/mod.ts";
import type { JsonSchema } from "./json_schema.ts";
import { validatorOf } from "./validate.ts";

/**
 * A base class for typed bodies: values that pass `schema` become instances of the subclass.
 *
 * ```ts ignore
 * class User extends Model(z.object({ name: z.string() })) {
 *   greet() { return `Hello ${this.name}`; }
 * }
 * // … in a controller
 * @PostMapping("/users", RequestBody(User))
 * create(user: User) { return user.greet(); }
 * ```
 *
 * The class is created without arguments, and the validated values are assigned afterwards: a field that the subclass
 * declares again does not remove them.
 *
 * @param schema any Standard Schema whose output is an object
 */
export function Model<S extends StandardSchemaV1<unknown, object>>(
  schema: S,
): ModelOf<S> {
  const { version } = schema["~standard"];
  const validate = validatorOf(schema) as StandardSchemaV1<
    unknown,
    object
  >["~standard"]["validate"];
  class Base {
    static readonly [MODEL_SCHEMA] = schema;
    /** A getter, because `this` is the subclass to create. */
    static get "~standard"(): StandardSchemaV1.Props<unknown, object> {
      const build = (result: StandardSchemaV1.Result<object>): StandardSchemaV1.Result<object> =>
        result.issues ? result : { value: assign(new this(), result.value) };
      const validated = (value: unknown) => followedBy(validate(value), build);
      return { version, vendor: "irori", validate: validated };
    }
  }
  // For `z.array(User)`, whose items are the data and not instances.
  if ("_zod" in schema) Object.defineProperty(Base, "_zod", { value: schema._zod });
  return Base as unknown as ModelOf<S>;
}

/**
 * The type of a class made by `Model(schema)`. Conditional, so that the declarations of applications inline it.
 *
 * @internal
 */
type ModelOf<S extends StandardSchemaV1<unknown, object>> = S extends { readonly _zod: infer Z } ? {
    new (): StandardSchemaV1.InferOutput<S>;
    /** Validates with the schema of the model, and returns instances of the class. */
    readonly "~standard": StandardSchemaV1.Props<
      StandardSchemaV1.InferInput<S>,
      StandardSchemaV1.InferOutput<S>
    >;
    readonly _zod: Z;
  }
  : {
    new (): StandardSchemaV1.InferOutput<S>;
    /** Validates with the schema of the model, and returns instances of the class. */
    readonly "~standard": StandardSchemaV1.Props<
      StandardSchemaV1.InferInput<S>,
      StandardSchemaV1.InferOutput<S>
    >;
  };

// Shared by all copies of this library.
const MODEL_SCHEMA = Symbol.for("irori: schema of the model");

export function modelSchema(type: unknown): StandardSchemaV1 | undefined {
  return typeof type === "function" && MODEL_SCHEMA in type
    ? type[MODEL_SCHEMA] as StandardSchemaV1
    : undefined;
}

/** Unlike `Object.assign`, does not override members of prototypes, such as methods and `__proto__`. */
function assign(target: object, values: object): object {
  for (const [key, value] of Object.entries(values)) {
    if (key in target && !Object.hasOwn(target, key)) continue;
    (target as Record<string, unknown>)[key] = value;
  }
  return target;
}

/** A schema that contains another one, such as a page of elements. */
interface Composite {
  readonly part: StandardSchemaV1;
  readonly pointer: string;
  readonly suffix: string;
  describe(part: JsonSchema, own: (name: string, json: JsonSchema) => JsonSchema): JsonSchema;
}

const COMPOSITE = Symbol.for("irori: parts of the composite schema");

export function composite<S extends StandardSchemaV1>(schema: S, parts: Composite): S {
  return Object.defineProperty(schema, COMPOSITE, { value: parts });
}

export function compositeOf(schema: object): Composite | undefined {
  return (schema as { readonly [COMPOSITE]?: Composite })[COMPOSITE];
}

export function vendorOf(schema: StandardSchemaV1): string {
  const inner = modelSchema(schema) ?? compositeOf(schema)?.part;
  return inner ? vendorOf(inner) : schema["~standard"].vendor;
}
