import type { StandardSchemaV1 } from "@standard-schema/spec";
import { decodeUtf8, parseJson } from "../../http/mod.ts";
import { isSchema, pointerOf } from "../../schema/mod.ts";
import { type Binder, binderOf, refuseDeclared } from "./binder.ts";
import { failure, missing, schemaCheck } from "./binding_error.ts";
import { readFormOnly } from "./body.ts";
import { SCHEMA } from "./body_binder.ts";
import { requireName } from "./text_binders.ts";
import type { Bound, ModelClass } from "./value_type.ts";

/** @internal */
interface RequestPartOptions {
  /** `false` gives `undefined` where the part is missing. @default true */
  readonly required?: boolean;
  /** `true` takes every part of the name. @default false */
  readonly list?: boolean;
}

/**
 * Binds a part of a `multipart/form-data` body: its `File`, or, with a schema or a class made with `Model(schema)`, its
 * validated JSON. Other media types get 415.
 *
 * @param options `required`, `list`
 */
export function RequestPart<C extends ModelClass, const O extends RequestPartOptions>(
  name: string,
  type: C,
  options?: O,
): Binder<Bound<InstanceType<C>, O>>;
/** Binds the JSON of a part, validated by a schema. */
export function RequestPart<S extends StandardSchemaV1, const O extends RequestPartOptions>(
  name: string,
  type: S,
  options?: O,
): Binder<Bound<StandardSchemaV1.InferOutput<S>, O>>;
/** Binds a part as the `File` that was sent. */
export function RequestPart<const O extends RequestPartOptions = RequestPartOptions>(
  name: string,
  options?: O,
): Binder<Bound<File, O>>;
export function RequestPart<T>(
  name: string,
  typeOrOptions?: StandardSchemaV1 | RequestPartOptions,
  partOptions?: RequestPartOptions,
): Binder<T> {
  requireName({ in: "part", name });
  const type = isSchema(typeOrOptions) ? typeOrOptions : undefined;
  if (type === undefined && (partOptions || typeof typeOrOptions === "function")) {
    refuseDeclared(`the part '${name}'`, SCHEMA, typeOrOptions);
  }
  const options = partOptions ?? (isSchema(typeOrOptions) ? {} : typeOrOptions ?? {});
  const { required = true, list = false } = options;
  const check = type && schemaCheck(type, () => `The part '${name}' is not valid`, (issue) => {
    return { parameter: name, pointer: pointerOf(issue) };
  });
  const read = async (part: File | string): Promise<unknown> => {
    if (check === undefined) return requireFile(part, name);
    return check(parsePart(typeof part === "string" ? part : await part.arrayBuffer(), name));
  };
  return binderOf({
    input: { in: "part", name, required, list, type },
    compile: () => async (exchange) => {
      const parts = (await readFormOnly(exchange)).get(name) ?? [];
      const [first] = parts;
      if (first === undefined && required) throw missing({ in: "part", name });
      if (first === undefined) return undefined;
      if (list) return await Promise.all<unknown>(parts.map(read));
      if (parts.length === 1) return await read(first);
      throw failure({ in: "part", name }, `expected one value, found ${parts.length}`);
    },
  });
}

function requireFile(part: File | string, name: string): File {
  if (typeof part !== "string") return part;
  throw failure({ in: "part", name }, "expected a file, found a field without a file name");
}

function parsePart(sent: string | ArrayBuffer, name: string): unknown {
  try {
    // Node 24 keeps the byte order mark of texts.
    return parseJson(typeof sent === "string" ? sent.replace(/^\uFEFF/, "") : decodeUtf8(sent));
  } catch (cause) {
    throw failure({ in: "part", name }, "expected well-formed JSON", cause);
  }
}
