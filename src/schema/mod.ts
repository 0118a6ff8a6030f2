/** Reads schemas of Zod, Valibot, ArkType and JSON Schema: validation, conversion of text, unknown keys. */
export { additionalPropertiesOf } from "./additional_properties.ts";
export { type Carrier, listFields, unsendablePart } from "./carriers.ts";
export * from "./convert.ts";
export {
  DATE_MARK,
  describedAs,
  type JsonSchema,
  jsonSchemaOf,
  metaOf,
  resolveReference,
} from "./json_schema.ts";
export * from "./model.ts";
export { type Direction, isSchema } from "./part.ts";
export { pointerOf, validateNow, validatorOf } from "./validate.ts";
