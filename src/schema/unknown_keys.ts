import type { StandardSchemaV1 } from "@standard-schema/spec";
import { openJson, saysJson } from "./_open_json.ts";
import type { AdditionalProperties } from "./additional_properties.ts";
import { compositeOf, modelSchema } from "./model.ts";
import { isValibot, openValibot } from "./valibot.ts";
import { zodDefinition } from "./zod.ts";
import { openZod } from "./zod_keys.ts";

/** One schema often stands for many routes. */
const KNOWN = new WeakMap<StandardSchemaV1, { readonly found?: AdditionalProperties }>();

export function additionalPropertiesOf(type: StandardSchemaV1): AdditionalProperties | undefined {
  const schema = modelSchema(type) ?? type;
  const known = KNOWN.get(schema);
  if (known) return known.found;
  const found = search(schema);
  KNOWN.set(schema, { found });
  return found;
}

function search(schema: StandardSchemaV1): AdditionalProperties | undefined {
  const around = compositeOf(schema);
  if (around) {
    const inner = additionalPropertiesOf(around.part);
    return inner && { ...inner, pointer: `${around.pointer}${inner.pointer}` };
  }
  if (zodDefinition(schema)) return openZod(schema);
  if (isValibot(schema)) return openValibot(schema);
  return saysJson(schema) ? openJson(schema) : { pointer: "", reason: "hasNoJsonSchema" };
}
