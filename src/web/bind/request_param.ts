import type { StandardSchemaV1 } from "@standard-schema/spec";
import { isSchema, listFields } from "../../schema/mod.ts";
import { type Bind, type Binder, binderOf, type Exchange } from "./binder.ts";
import { decoded, schemaCheck } from "./binding_error.ts";
import { type TextBinder, textBinder, type ValueParameters } from "./text_binders.ts";
import type { ModelClass } from "./value_type.ts";

/** @internal */
interface QueryBinder extends TextBinder {
  <C extends ModelClass>(type: C): Binder<InstanceType<C>>;
  /** Binds the whole query, validated by a schema. */
  <S extends StandardSchemaV1>(schema: S): Binder<StandardSchemaV1.InferOutput<S>>;
}

/**
 * Binds a query parameter, or, with a schema or a class made with `Model(schema)` instead of a name, all of them as one
 * object, where repeated ones and fields that take lists are lists. A value that is missing, repeated without `list`, or
 * invalid gets 400.
 *
 * @param type how the text is converted; `"string"` by default
 * @param options `required`, `defaultValue`, `list`
 */
export const RequestParam: QueryBinder = (
  nameOrSchema: string | StandardSchemaV1,
  ...given: ValueParameters
): Binder<never> => {
  if (isSchema(nameOrSchema)) return wholeQuery(nameOrSchema);
  const source = { in: "query", name: nameOrSchema } as const;
  const read = ({ query }: Exchange, list: boolean) => {
    const found = query.get(source.name);
    if (found === undefined) return undefined;
    // Only a comma that is not encoded separates values (RFC 3986, 2.2).
    const isParted = list && typeof found === "string" && found.includes(",");
    return decoded(source, isParted ? found.split(",") : found);
  };
  return textBinder(source, read, ...given);
};

function wholeQuery(schema: StandardSchemaV1): Binder<never> {
  const check = schemaCheck(
    schema,
    () => "The query is not valid",
    ({ path: [first = ""] = [] }) => {
      return { parameter: String(typeof first === "object" ? first.key : first) };
    },
  );
  const bind = (isList: (name: string) => boolean): Bind => ({ query }) => {
    const values = Object.create(null) as Record<string, unknown>;
    for (const [name, found] of query) {
      if (name === "__proto__") continue;
      const value = decoded({ in: "query", name }, found);
      values[name] = typeof value === "string" && isList(name) ? [value] : value;
    }
    return check({ ...values });
  };
  return binderOf({
    input: { in: "query", required: true, list: false, type: schema },
    compile: () => bind(listFields(schema)),
  });
}
