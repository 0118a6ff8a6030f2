import type { StandardSchemaV1 } from "@standard-schema/spec";
import { type ArkTypePart, KIND_MARK, readJsonSchema, standardJson } from "./json_schema.ts";
import { modelSchema } from "./model.ts";
import { first, MOST_PARTS, pointerTo, type Reader } from "./part.ts";
import { readValibot } from "./valibot.ts";
import { readZod, zodDefinition } from "./zod.ts";

export type Carrier = "JSON" | "text";

export interface UnsendablePart {
  readonly kind: string;
  readonly pointer: string;
}

const COMMON = ["date", "bigint", "map", "set", "symbol", "nan"];

/** Kinds that each carrier cannot have. Fields of forms may be files. */
const UNSENDABLE: { readonly [C in Carrier]: ReadonlySet<string> } = {
  JSON: new Set([...COMMON, "file", "blob"]),
  text: new Set([...COMMON, "number", "integer", "boolean"]),
};

/** The first part whose values cannot be sent. Of alternatives one is enough, but not `null` alone. */
export function unsendablePart(
  type: StandardSchemaV1,
  carrier: Carrier,
): UnsendablePart | undefined {
  const schema = modelSchema(type) ?? type;
  const { vendor } = schema["~standard"];
  const search = (part: unknown, read: Reader) =>
    searchParts(part, "", read, UNSENDABLE[carrier], new Set());
  if (zodDefinition(schema)) return search(schema, (part) => readZod(part, "input"));
  if (vendor === "valibot") return search(schema, (part) => readValibot(part, "input"));
  return vendor === "arktype" ? search(inputJson(schema), readJsonSchema) : undefined;
}

function searchParts(
  schema: unknown,
  pointer: string,
  read: Reader,
  unsendable: ReadonlySet<string>,
  seen: Set<unknown>,
): UnsendablePart | undefined {
  if (seen.has(schema) || seen.size > MOST_PARTS) return undefined;
  seen.add(schema);
  const { kind, parts = [], options = [] } = read(schema) ?? {};
  if (kind !== undefined && unsendable.has(kind)) return { kind, pointer };
  const found = first(
    parts.map(([key, part]) => () =>
      searchParts(part, pointerTo(pointer, key), read, unsendable, seen)
    ),
  );
  if (found) return found;
  const choices = options.filter((option) => !NOTHING.has(read(option)?.kind ?? ""))
    .map((option) => searchParts(option, pointer, read, unsendable, new Set(seen)));
  return choices.every((one) => one !== undefined) ? choices[0] : undefined;
}

const NOTHING = new Set(["null", "undefined", "void"]);

function inputJson(schema: StandardSchemaV1): unknown {
  const fallback = ({ code, base, domain, proto }: ArkTypePart) => {
    const kind = code === "date" ? code : domain ?? proto?.name?.toLowerCase();
    return kind === undefined ? base : { ...base, [KIND_MARK]: kind };
  };
  return standardJson(schema, "input", { fallback });
}
