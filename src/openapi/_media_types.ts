import type { Components } from "./_components.ts";
import type { JsonSchema } from "./types.ts";

/** In which media types values of a schema are sent where nothing else is said: texts as they are, files, else JSON. */
export function mediaTypesOf(schema: JsonSchema, components: Components): readonly string[] {
  const found = new Set(kindsOf(schema, components, new Set()));
  return found.size > 0 ? [...found] : [JSON_TYPE];
}

const JSON_TYPE = "application/json";

function* kindsOf(
  schema: JsonSchema,
  components: Components,
  seen: Set<unknown>,
): Generator<string> {
  const json = components.resolved(schema);
  if (seen.has(json)) return;
  seen.add(json);
  const alternatives = json.anyOf ?? json.oneOf;
  const values = "const" in json ? [json.const] : json.enum;
  if (components.isDate(json)) yield JSON_TYPE;
  else if (Array.isArray(alternatives)) {
    for (const one of alternatives) yield* kindsOf(one, components, seen);
  } else if (Array.isArray(values)) {
    for (const value of values) yield typeof value === "string" ? "text/plain" : JSON_TYPE;
  } else {
    for (const type of [json.type].flat()) yield type === "string" ? textType(json) : JSON_TYPE;
  }
}

/** A file is a text of bytes to JSON Schema. */
function textType({ contentEncoding, contentMediaType, format }: JsonSchema): string {
  if (contentEncoding === undefined && format !== "binary") return "text/plain";
  return typeof contentMediaType === "string" ? contentMediaType : "application/octet-stream";
}
