import type { StandardSchemaV1 } from "@standard-schema/spec";
import { type Conversion, conversionOf, isSchema } from "../../schema/mod.ts";
import {
  type BindingIssue,
  failure,
  missing,
  schemaCheck,
  sourceFields,
  sourceText,
  type ValueSource,
} from "./binding_error.ts";
import { PLACES } from "./places.ts";
import type { ValueType } from "./value_type.ts";

export interface ValueSettings {
  readonly required?: boolean;
  readonly list?: boolean;
  readonly defaultValue?: unknown;
}

export type FoundText = string | readonly string[] | undefined;

/** Composes default, list and conversion. The result is a promise only when a schema validates asynchronously. */
export function valueBinding(
  source: ValueSource,
  type: ValueType | Conversion,
  settings: ValueSettings,
): (found: FoundText) => unknown {
  const { list = false, defaultValue } = settings;
  const hasDefault = "defaultValue" in settings && defaultValue !== undefined;
  const required = !hasDefault && settings.required !== false;
  const convert = isSchema(type)
    ? schemaStep(source, type)
    : textStep(source, isConversion(type) ? type : conversionOf(type));
  return (found) => {
    if (found === undefined || (hasDefault && found === "")) {
      if (required) throw missing(source);
      return fresh(defaultValue);
    }
    if (list) {
      const values = (found === "" ? [] : [found].flat()).map(convert);
      return values.some((value) => value instanceof Promise) ? Promise.all(values) : values;
    }
    if (typeof found !== "string") {
      throw failure(source, `expected one value, found ${found.length}`);
    }
    return convert(found);
  };
}

function fresh(value: unknown): unknown {
  if (Array.isArray(value)) return [...value];
  return value instanceof Date ? new Date(value) : value;
}

type Step = (text: string) => unknown;

function isConversion(type: Exclude<ValueType, StandardSchemaV1> | Conversion): type is Conversion {
  return typeof type === "object" && "convert" in type;
}

export function textStep(source: ValueSource, { expected, convert }: Conversion): Step {
  return (text) => {
    const value = convert(text);
    if (value === undefined) throw failure(source, `expected ${expected}${found(source, text)}`);
    return value;
  };
}

function schemaStep(source: ValueSource, schema: StandardSchemaV1): Step {
  const message = (told: readonly BindingIssue[]) =>
    `Cannot bind ${sourceText(source)}: ${told.map(({ message }) => message).join("; ")}`;
  return schemaCheck(schema, message, () => sourceFields(source));
}

function found(source: ValueSource, text: string): string {
  if (PLACES[source.in].isSecret) return "";
  return `, found '${text.length > 100 ? `${text.slice(0, 100)}…` : text}'`;
}
