import type { ClientTypes, TypeMembers, TypeSchema } from "./client_types.ts";
import { ANY, examples, list, map, type Members, object, ref, type Schema } from "./forms.ts";

/** Definitions of ours by the types of the clients that they stand for; queries are not described. */
const OWN: readonly (readonly [RegExp, Schema])[] = [
  [/^(?:Mapping)?Property$/, ref("field")],
  [/^Record<\w+,(?:Mapping)?Property>$/, ref("fields")],
  [/^(?:Mapping)?TypeMapping$/, ref("mappings")],
  [/^(?:Indices)?IndexSettings$/, ref("settings")],
  [/^(?:Ingest)?ProcessorContainer$/, ref("processor")],
  [/^(?:Script|ScriptSource|InlineScript|StoredScript)$/, ref("script")],
  [/^Duration$/, ref("time")],
  [/^(?:ByteSize|HumanReadableByteCount)$/, ref("size")],
  [/QueryContainer$|^AggregationContainer$|^Metadata$/, ANY],
];

export interface RelaxedOptions {
  /** Whether clusters refuse other members. @default false */
  readonly closed?: boolean;
  /** Whether a text is no number and no list, and a list no text, as in JSON that is no settings. @default false */
  readonly exact?: boolean;
  /** The types that it is in. */
  readonly above?: readonly string[];
}

/**
 * A type of a client in our forms. Types say less than servers accept: one for a list, texts for numbers, words in either
 * case, and members are all optional.
 */
export function relaxed(
  client: ClientTypes,
  type: TypeSchema,
  options: RelaxedOptions = {},
): Schema {
  const { above = [], exact = false } = options;
  const name = client.definitionName(type);
  const own = name && OWN.find(([pattern]) => pattern.test(name))?.[1];
  if (own) return own;
  if (name !== undefined && above.includes(name)) return ANY;
  const inside = name === undefined ? options : { ...options, above: [...above, name] };
  const resolved = client.resolved(type);
  const { const: only, enum: several, anyOf, items, additionalProperties } = resolved;
  const kinds = [resolved.type ?? []].flat();
  if (anyOf) return anyOf.map((one) => relaxed(client, one, inside)).reduce(wider);
  const words = several ?? (only === undefined ? undefined : [only]);
  if (words) {
    return words.every((word) => typeof word === "string") && words.length > 0
      ? { ...examples(words), ...(exact && { type: "string" }) }
      : ref("text");
  }
  if (kinds.includes("array")) {
    const item = items ? relaxed(client, items, inside) : ANY;
    return isScalar(item) ? ref(exact ? "textList" : "texts") : list(item);
  }
  if (kinds.includes("object")) {
    const members = client.members(resolved);
    if (Object.keys(members).length > 0) {
      return object(relaxedMembers(client, members, inside), options);
    }
    return map(
      typeof additionalProperties === "object"
        ? relaxed(client, additionalProperties, inside)
        : ANY,
    );
  }
  if (kinds.length !== 1) return kinds.length === 0 ? ANY : ref("text");
  return ref(NAMES[kinds[0]!] ?? (exact ? "string" : "text"));
}

const NAMES: Readonly<Record<string, string>> = { boolean: "boolean", number: "number" };

export function relaxedMembers(
  client: ClientTypes,
  members: TypeMembers,
  options: RelaxedOptions = {},
): Members {
  return Object.fromEntries(
    Object.entries(members).map(([name, type]) => [name, relaxed(client, type, options)]),
  );
}

/** The members of both; of one that both have, what either accepts. */
export function merged(one: Members, other: Members): Members {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])].sort();
  return Object.fromEntries(names.map((name) => {
    const [a, b] = [one[name], other[name]];
    return [name, a && b ? wider(a, b) : (a ?? b)!];
  }));
}

/** A schema that accepts all values of both schemas, and perhaps more. */
export function wider(one: Schema, other: Schema): Schema {
  if (JSON.stringify(one) === JSON.stringify(other)) return one;
  const [a, b] = [one, other].map(rank) as [number, number];
  if (a === OBJECT && b === OBJECT) {
    return one.properties && other.properties
      ? { ...one, properties: merged(one.properties as Members, other.properties as Members) }
      : map(ANY);
  }
  if (Math.max(a, b) > TEXTS) return ANY;
  if (one.examples && other.examples) {
    const words = [...one.examples as string[], ...other.examples as string[]];
    return { ...one, examples: [...new Set(words)].sort() };
  }
  return ref(Math.max(a, b) === TEXTS ? "texts" : "text");
}

const [TEXT, TEXTS, OBJECT, OTHER] = [1, 2, 3, 4];

function rank(schema: Schema): number {
  if ([ref("texts").$ref, ref("textList").$ref].includes(schema.$ref as string)) return TEXTS!;
  if (isScalar(schema)) return TEXT!;
  return schema.properties || schema.additionalProperties ? OBJECT! : OTHER!;
}

function isScalar({ $ref, examples }: Schema): boolean {
  const scalars = ["boolean", "number", "integer", "string", "text", "time", "size"];
  return examples !== undefined || scalars.some((name) => ref(name).$ref === $ref);
}
