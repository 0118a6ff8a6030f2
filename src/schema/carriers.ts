import type { StandardSchemaV1 } from "@standard-schema/spec";
import {
  type ArkTypePart,
  KIND_MARK,
  readJsonSchema,
  resolveReference,
  standardJson,
} from "./json_schema.ts";
import { modelSchema } from "./model.ts";
import { first, pointerTo, type Reader, readOnce } from "./part.ts";
import { readValibot } from "./valibot.ts";
import { readZod } from "./zod.ts";

export type Carrier = "JSON" | "text" | "text fields";

interface UnsendablePart {
  readonly kind: string;
  readonly pointer: string;
}

const COMMON = ["date", "bigint", "map", "set", "symbol", "nan"];
const IN_TEXT = [...COMMON, "number", "integer", "boolean"];

/** Kinds that each carrier cannot have, at all or, after a dot, as a whole. Fields of forms may be files. */
const UNSENDABLE: { readonly [C in Carrier]: ReadonlySet<string> } = {
  JSON: new Set([...COMMON, "file", "blob"]),
  text: new Set([...IN_TEXT, "array", "tuple", "object", "record"]),
  "text fields": new Set([...IN_TEXT, ".array", ".tuple", ".string"]),
};

/** The first part whose values cannot be sent. Of alternatives one is enough, but not `null` alone. */
export function unsendablePart(
  type: StandardSchemaV1,
  carrier: Carrier,
): UnsendablePart | undefined {
  const unsendable = UNSENDABLE[carrier];
  return searchInput(type, (root, read) => searchParts(root, "", read, unsendable, new Set()));
}

function searchInput<T>(
  type: StandardSchemaV1,
  search: (root: unknown, read: Reader) => T,
  isAny = false,
): T | undefined {
  const schema = modelSchema(type) ?? type;
  const read: Reader = (part) => readZod(part, "input") ?? readValibot(part, "input");
  if (read(schema)) return search(schema, read);
  const isRead = isAny || schema["~standard"].vendor === "arktype";
  return isRead ? search(inputJson(schema), readJsonSchema) : undefined;
}

function searchParts(
  schema: unknown,
  pointer: string,
  read: Reader,
  unsendable: ReadonlySet<string>,
  seen: Set<unknown>,
): UnsendablePart | undefined {
  const { kind = "", parts = [], options = [] } = readOnce(schema, read, seen) ?? {};
  if (unsendable.has(kind) || unsendable.has(`${pointer}.${kind}`)) return { kind, pointer };
  const found = first(
    parts,
    ([key, part]) => searchParts(part, pointerTo(pointer, key), read, unsendable, seen),
  );
  if (found) return found;
  const choices = options.filter((option) => !NOTHING.has(read(option)?.kind ?? ""))
    .map((option) => searchParts(option, pointer, read, unsendable, new Set(seen)));
  return choices.every(Boolean) ? choices[0] : undefined;
}

const NOTHING = new Set(["null", "undefined", "void"]);

function inputJson(schema: StandardSchemaV1): unknown {
  const fallback = ({ code, base, domain, proto }: ArkTypePart) => {
    const kind = code === "date" ? code : domain ?? proto?.name?.toLowerCase();
    return kind === undefined ? base : { ...base, [KIND_MARK]: kind };
  };
  return standardJson(schema, "input", { fallback });
}

/** Tells the names of the fields that take only lists, so that a value that is sent alone is a list of one. */
export function listFields(type: StandardSchemaV1): (name: string) => boolean {
  const fields = new Map<string, boolean>();
  searchInput(type, (root, read) => {
    const follow = (part: unknown) => resolveReference(root, String(Object(part).$ref)) ?? part;
    findFields(root, (part) => read(follow(part)), fields, new Set());
  }, true);
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
  const { kind = "", parts = [], options = [] } = readOnce(part, read, seen) ?? {};
  if (LISTS.has(kind)) return;
  for (const [key, inner] of parts) {
    if (key === undefined) findFields(inner, read, fields, seen);
    else fields.set(key, fields.get(key) !== false && isList(inner, read, new Set()));
  }
  for (const option of options) findFields(option, read, fields, seen);
}

function isList(part: unknown, read: Reader, seen: Set<unknown>): boolean {
  const { kind = "", parts = [], options = [] } = readOnce(part, read, seen) ?? {};
  const choices = options.filter((option) => !NOTHING.has(read(option)?.kind ?? ""));
  if (choices.length > 0) return choices.every((option) => isList(option, read, new Set(seen)));
  return LISTS.has(kind) ||
    parts.some(([key, inner]) => key === undefined && isList(inner, read, seen));
}

const LISTS = new Set(["array", "tuple", "loose_tuple", "tuple_with_rest"]);
