import { listed } from "../../../text/mod.ts";
import { hasMember, type JsonObject } from "../json/json.ts";
import type { KindFile, MemberKind } from "./types.ts";

const NOUNS: Readonly<Record<MemberKind, string>> = {
  array: "a list",
  object: "an object",
  string: "a text",
};

export function isBodyOf({ members = {}, isBody }: KindFile, json: JsonObject): boolean {
  if (isBody) return isBody(json);
  return Object.entries(members).some(([kind, names]) =>
    hasMember(json, kind as MemberKind, ...names)
  );
}

/** Describes the expected content: `an object 'template'`. */
export function expectedOf({ members = {}, isOf, expected }: KindFile): string {
  const kinds = Object.keys(members) as MemberKind[];
  const names = listed(Object.values(members).flat().map((name) => `'${name}'`), "or");
  const content = expected ?? (kinds.length === 1 ? `${NOUNS[kinds[0]!]} ${names}` : names);
  return isOf === undefined ? content : `for ${isOf} ${content}`;
}
