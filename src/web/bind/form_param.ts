import type { StandardSchemaV1 } from "@standard-schema/spec";
import { isSchema, listFields } from "../../schema/mod.ts";
import type { Binder, Exchange } from "./binder.ts";
import { failure } from "./binding_error.ts";
import { readBody, readFormOnly } from "./body.ts";
import { bodyBinder, type BodyOptions } from "./body_binder.ts";
import type { Form } from "./form.ts";
import { type TextBinder, textBinder, type ValueParameters } from "./text_binders.ts";
import type { FoundText } from "./value_binding.ts";
import type { Absent, ModelClass } from "./value_type.ts";

/** @internal */
interface FormBinder extends TextBinder {
  <C extends ModelClass, const O extends BodyOptions = BodyOptions>(
    type: C,
    options?: O,
  ): Binder<InstanceType<C> | Absent<O>>;
  /** Binds all fields as one object, validated by a schema. */
  <S extends StandardSchemaV1, const O extends BodyOptions = BodyOptions>(
    schema: S,
    options?: O,
  ): Binder<StandardSchemaV1.InferOutput<S> | Absent<O>>;
}

/**
 * Binds a field of a form (`application/x-www-form-urlencoded` or `multipart/form-data`), or, with a schema or a class made
 * with `Model(schema)` instead of a name, all fields as one object. Other media types get 415.
 *
 * @param type how the text is converted; `"string"` by default
 * @param options `required`, `defaultValue`, `list`
 */
export const FormParam: FormBinder = (
  nameOrSchema: string | StandardSchemaV1,
  ...given: ValueParameters
): Binder<never> => {
  if (isSchema(nameOrSchema)) {
    const readerOf = () => {
      const isList = listFields(nameOrSchema);
      return (exchange: Exchange) => readBody(exchange, ["form"], isList);
    };
    return bodyBinder("form", readerOf, nameOrSchema, (given[0] ?? {}) as BodyOptions);
  }
  const read = async (exchange: Exchange) => textsOf(await readFormOnly(exchange), nameOrSchema);
  return textBinder({ in: "form", name: nameOrSchema }, read, ...given);
};

function textsOf(form: Form, name: string): FoundText {
  const texts = (form.get(name) ?? []).map((value) => {
    if (typeof value === "string") return value;
    throw failure({ in: "form", name }, "expected a text field, found a file");
  });
  return texts.length < 2 ? texts[0] : texts;
}
