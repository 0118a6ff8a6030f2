import { listed } from "../../../text/mod.ts";
import { hasMember, type JsonValue } from "../json/json.ts";
import type { KindFile } from "./types.ts";

const NOUNS = { array: "a list", object: "an object", string: "a text" };

/**
 * Files with this ending, whose content has one of these members.
 *
 * @param server named in messages, for an ending of two kinds
 */
export function fileWith(
  ending: KindFile["ending"],
  kind: JsonValue["kind"] & keyof typeof NOUNS,
  names: readonly string[],
  server?: "Elasticsearch",
): Pick<KindFile, "ending" | "isBody" | "expected"> {
  const members = listed(names.map((name) => `'${name}'`), "or");
  const prefix = server === undefined ? "" : `for ${server} `;
  return {
    ending,
    isBody: (json) => hasMember(json, kind, ...names),
    expected: `${prefix}${NOUNS[kind]} ${members}`,
  };
}
