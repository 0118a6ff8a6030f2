/**
 * Reads schemas of Zod, Valibot, ArkType and JSON Schema: validation, conversion of text, JSON Schema, unknown keys.
 *
 * @module
 */
export {
  type Conversion,
  conversionOf,
  isTypeName,
  isValueType,
  type ModelClass,
  type OutputOf,
  type ScalarTypes,
  type ValueOf,
  type ValueType,
} from "./convert.ts";
export {
  DATE_MARK,
  type Direction,
  type JsonSchema,
  jsonSchemaOf,
  resolveReference,
} from "./json_schema.ts";
export {
  type Composite,
  composite,
  compositeOf,
  Model,
  type ModelOf,
  modelSchema,
  vendorOf,
} from "./model.ts";
export { additionalPropertiesOf } from "./additional_properties.ts";
export type { AdditionalProperties } from "./part.ts";
export { type Carrier, unsendablePart } from "./unsendable.ts";
export { isSchema, pointerOf, validateNow, validatorOf } from "./validate.ts";
