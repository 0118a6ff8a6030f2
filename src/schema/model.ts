import type { StandardSchemaV1 } from "@standard-schema/spec";
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
 * The class is made without arguments first and gets the validated values after that, so that a field which
 * the subclass declares again does not wipe them.
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
    /** A getter, because the subclass that it is read from is the class to make. */
    static get "~standard"(): StandardSchemaV1.Props<unknown, object> {
      const build = (result: StandardSchemaV1.Result<object>): StandardSchemaV1.Result<object> =>
        result.issues ? result : { value: assign(new this(), result.value) };
      return {
        version,
        vendor: "irori",
        validate: (value) => {
          const result = validate(value);
          return result instanceof Promise ? result.then(build) : build(result);
        },
      };
    }
  }
  // What `z.array(User)` asks for; its items are the data, not instances.
  if ("_zod" in schema) Object.defineProperty(Base, "_zod", { value: schema._zod });
  return Base as unknown as ModelOf<S>;
}

/**
 * What a class has that was made with `Model(schema)`. Conditional, so that declarations of others write it out.
 *
 * @internal
 */
export type ModelOf<S extends StandardSchemaV1<unknown, object>> = S extends
  { readonly _zod: infer Z } ? {
    /** Made empty; the values are assigned afterwards. */
    new (): StandardSchemaV1.InferOutput<S>;
    /** Validates with the schema of the model; what comes out are instances of the class it is asked of. */
    readonly "~standard": StandardSchemaV1.Props<
      StandardSchemaV1.InferInput<S>,
      StandardSchemaV1.InferOutput<S>
    >;
    /** What lets Zod take a class as a part of its schemas. */
    readonly _zod: Z;
  }
  : {
    /** Made empty; the values are assigned afterwards. */
    new (): StandardSchemaV1.InferOutput<S>;
    /** Validates with the schema of the model; what comes out are instances of the class it is asked of. */
    readonly "~standard": StandardSchemaV1.Props<
      StandardSchemaV1.InferInput<S>,
      StandardSchemaV1.InferOutput<S>
    >;
  };

// Shared by all copies of this library, as the metadata of classes is.
const MODEL_SCHEMA = Symbol.for("irori: schema of the model");

/** The schema that a class was made of by `Model(schema)`; `undefined` for everything else. */
export function modelSchema(type: unknown): StandardSchemaV1 | undefined {
  return typeof type === "function" && MODEL_SCHEMA in type
    ? type[MODEL_SCHEMA] as StandardSchemaV1
    : undefined;
}

/** Unlike `Object.assign` never what the prototypes have: methods, setters, `constructor` and `__proto__` are theirs. */
function assign(target: object, values: object): object {
  for (const [key, value] of Object.entries(values)) {
    if (key in target && !Object.hasOwn(target, key)) continue;
    (target as Record<string, unknown>)[key] = value;
  }
  return target;
}

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
