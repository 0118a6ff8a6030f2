import { isRecord, SchemaReader } from "./reader.ts";

/**
 * A document that is read as OpenAPI 3.1.
 *
 * @throws {TypeError} when it is not an OpenAPI 3.0 or 3.1 document
 */
export function readerOf(document: unknown, which: string): SchemaReader {
  if (!isRecord(document) || typeof document.openapi !== "string") {
    throw new TypeError(`Cannot compare: the ${which} document is not an OpenAPI document`);
  }
  if (!/^3\.[01]\./.test(document.openapi)) {
    throw new TypeError(
      `Cannot compare: the ${which} document is OpenAPI ${document.openapi}, expected 3.0 or 3.1`,
    );
  }
  const isOld = document.openapi.startsWith("3.0.");
  return new SchemaReader(isOld ? upgraded(document) as object : document);
}

/** What schemas of OpenAPI 3.0 say otherwise than JSON Schema (OpenAPI 3.0.4, 4.7.24): null, bounds, and references. */
function upgraded(value: unknown, areNames = false): unknown {
  if (Array.isArray(value)) return value.map((one) => upgraded(one));
  if (!isRecord(value)) return value;
  if (!areNames && typeof value.$ref === "string") return { $ref: value.$ref };
  const members = Object.entries(value).map(([key, inner]) => [
    key,
    !areNames && VALUES.has(key) ? inner : upgraded(inner, !areNames && NAMED.has(key)),
  ]);
  const result: Record<string, unknown> = Object.fromEntries(members);
  if (areNames) return result;
  for (const [bound, exclusive] of BOUNDS) {
    if (typeof result[exclusive] !== "boolean") continue;
    const { [bound]: limit, [exclusive]: isExclusive } = result;
    delete result[exclusive];
    if (isExclusive && limit !== undefined) delete result[bound], result[exclusive] = limit;
  }
  const { nullable } = result;
  if (typeof nullable === "boolean") delete result.nullable;
  if (nullable !== true) return result;
  if (typeof result.type !== "string") return { anyOf: [result, { type: "null" }] };
  return { ...result, type: [result.type, "null"] };
}

const VALUES = new Set(["default", "enum", "example", "examples"]);
const NAMED = new Set(["properties", "schemas", "responses", "parameters", "headers", "paths"]);
const BOUNDS = [["minimum", "exclusiveMinimum"], ["maximum", "exclusiveMaximum"]] as const;
