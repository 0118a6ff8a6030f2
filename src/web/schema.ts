import type { StandardSchemaV1 } from "@standard-schema/spec";

/** Whether `value` follows the Standard Schema (https://standardschema.dev). ArkType's are functions. */
export function isSchema(value: unknown): value is StandardSchemaV1 {
  return value !== null && (typeof value === "object" || typeof value === "function") &&
    "~standard" in value;
}

/** The path of an issue as a JSON pointer (RFC 6901); `""` is the whole value. */
export function pointerOf(issue: StandardSchemaV1.Issue): string {
  return (issue.path ?? []).map((part) => {
    const key = typeof part === "object" ? part.key : part;
    return `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
  }).join("");
}
