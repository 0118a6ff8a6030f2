import type { StandardSchemaV1 } from "@standard-schema/spec";
import { inputReader, NOTHING } from "./unsendable.ts";
import { MOST_PARTS, type Reader } from "./part.ts";

/** Tells the names of the fields that take only lists, so that a value that is sent alone is a list of one. */
export function listFields(type: StandardSchemaV1): (name: string) => boolean {
  const { root, read } = inputReader(type);
  const fields = new Map<string, boolean>();
  findFields(root, read, fields, new Set());
  const others = fields.get("*") ?? false;
  return (name) => fields.get(name) ?? others;
}

/** A field that one of several alternatives takes as a single value is no list. */
function findFields(
  part: unknown,
  read: Reader,
  fields: Map<string, boolean>,
  seen: Set<unknown>,
): void {
  if (seen.has(part) || seen.size > MOST_PARTS) return;
  seen.add(part);
  const { kind = "", parts = [], options = [] } = read(part) ?? {};
  if (LISTS.has(kind)) return;
  for (const [key, inner] of parts) {
    if (key === undefined) findFields(inner, read, fields, seen);
    else fields.set(key, fields.get(key) !== false && isList(inner, read, new Set()));
  }
  for (const option of options) findFields(option, read, fields, seen);
}

function isList(part: unknown, read: Reader, seen: Set<unknown>): boolean {
  if (seen.has(part) || seen.size > MOST_PARTS) return false;
  seen.add(part);
  const { kind = "", parts = [], options = [] } = read(part) ?? {};
  const choices = options.filter((option) => !NOTHING.has(read(option)?.kind ?? ""));
  if (choices.length > 0) return choices.every((option) => isList(option, read, new Set(seen)));
  return LISTS.has(kind) ||
    parts.some(([key, inner]) => key === undefined && isList(inner, read, seen));
}

const LISTS = new Set(["array", "tuple", "loose_tuple", "tuple_with_rest"]);
