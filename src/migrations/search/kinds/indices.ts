import { mergeDeep } from "../json/compare.ts";
import {
  field,
  isEmpty,
  isObject,
  type Json,
  mapValues,
  objectOf,
  omit,
} from "../json/json_values.ts";
import { withQuantities } from "./quantities.ts";
import type { Kind } from "./types.ts";

/** Settings, mappings and aliases of an index or a template in one form, without empty parts. */
export function definitionForm(body: unknown, mappingsOf: (mappings: Json) => unknown): Json {
  const parts = {
    settings: withQuantities(flatSettings(objectOf(field(body, "settings")))),
    mappings: mappingsOf(objectOf(field(body, "mappings"))),
    aliases: mapValues(objectOf(field(body, "aliases")), aliasForm),
  };
  return omit(parts, (part) => isEmpty(part));
}

/** `{ "index": { "refresh_interval": "1s" } }` and `{ "refresh_interval": "1s" }` are `index.refresh_interval`. */
export function flatSettings(settings: Json): Json {
  return Object.fromEntries(
    Object.entries(flatNames(settings)).map(([name, value]) => {
      return [name.startsWith("index.") ? name : `index.${name}`, value];
    }),
  );
}

/** `{ "cluster": { "max_shards_per_node": 1 } }` is `cluster.max_shards_per_node`. */
export function flatNames(settings: Json, prefix = ""): Json {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([key, value]): [string, unknown][] => {
      const path = prefix === "" ? key : `${prefix}.${key}`;
      return isObject(value) ? Object.entries(flatNames(value, path)) : [[path, value]];
    }),
  );
}

/** Where an index or a template is made, the cluster overlooks texts in place of `true` (tried, 2.19 and 3.4). */
export function aliasForm(alias: unknown): unknown {
  if (alias === null) return null;
  const { routing, ...rest } = omit(objectOf(alias), (value, key) => {
    return key.startsWith("is_") && typeof value !== "boolean";
  });
  return routing === undefined
    ? rest
    : { index_routing: routing, search_routing: routing, ...rest };
}

/** The name of one index: no list, no pattern, no date math. */
const NAME = "((?!_)[^/,*%<>]+)";

/** Creating an index does not change one that exists (reference 4.4 rule 8), so its effect is a part. */
export const INDICES: Kind = { ...indices("", (body) => body ?? {}), write: "once" };
export const MAPPINGS: Kind = indices("/_mappings?", (mappings) => ({ mappings }));
export const SETTINGS: Kind = {
  ...indices("/_settings", (body) => ({ settings: field(body, "settings") ?? body })),
  isMerged: true,
};

function indices(below: string, wanted: (body: unknown) => unknown): Kind {
  return {
    pattern: new RegExp(`^/${NAME}${below}$`),
    methods: ["PUT", "POST"],
    effect: "part",
    noun: "index",
    path: (name) => `/${name}`,
    wanted: (body) => indexForm(wanted(body)),
    read: (json) =>
      // With its name, since the path may be an alias.
      Object.entries(objectOf(json)).map(([index, has]) => ({ index, ...liveIndexForm(has) })),
  };
}

/** Settings are flat, names of fields and lists are written out. */
export function indexForm(body: unknown): Json {
  return definitionForm(body, (mappings) => mappingsForm(mappings, {}));
}

/** As `indexForm`, and every field without a type is an object. */
export function liveIndexForm(body: unknown): Json {
  return definitionForm(body, (mappings) => mappingsForm(mappings, { type: "object" }));
}

function mappingsForm({ _source: source, properties, ...rest }: Json, usual: Json): Json {
  const stored = objectOf(source);
  const isDefault = isEmpty(stored) ||
    (String(stored.enabled) === "true" && Object.keys(stored).length === 1);
  const fields = below("properties", properties, usual);
  return { ...rest, ...fields, ...(isDefault ? {} : { _source: source }) };
}

function fieldForm(mapping: unknown, usual: Json): unknown {
  if (!isObject(mapping)) return mapping;
  const { properties, fields, copy_to: copyTo, ...parameters } = mapping;
  return {
    ...usual,
    ...parameters,
    ...(copyTo !== undefined && { copy_to: [copyTo].flat() }),
    ...below("properties", properties, usual),
    ...below("fields", fields, usual),
  };
}

function below(name: "properties" | "fields", fields: unknown, usual: Json): Json {
  const states: Record<string, unknown> = {};
  for (const [path, mapping] of Object.entries(objectOf(fields))) {
    const names = name === "properties" ? path.split(".") : [path];
    let target = states;
    for (const outer of names.slice(0, -1)) {
      const object = (target[outer] ??= { ...usual }) as Record<string, unknown>;
      target = (object.properties ??= {}) as Record<string, unknown>;
    }
    const last = names.at(-1)!;
    target[last] = mergeDeep(objectOf(target[last]), objectOf(fieldForm(mapping, usual)));
  }
  return isEmpty(states) ? {} : { [name]: states };
}
