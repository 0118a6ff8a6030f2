import type { StandardSchemaV1 } from "@standard-schema/spec";

import { pointerToken } from "../text/mod.ts";

export { isSchema, validatorOf } from "../text/mod.ts";

/** The path of an issue as a JSON pointer (RFC 6901); `""` is the whole value. */
export function pointerOf(issue: StandardSchemaV1.Issue): string {
  return (issue.path ?? []).map((part) => {
    const key = typeof part === "object" ? part.key : part;
    return `/${pointerToken(String(key))}`;
  }).join("");
}
