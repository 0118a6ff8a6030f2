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

/** Settings, mappings and aliases, as indices and templates have them, in one form; empty ones say nothing. */
export function definitionState(body: unknown, mappingsOf: (mappings: Json) => unknown): Json {
  const parts = {
    settings: withQuantities(flatSettings(objectOf(field(body, "settings")))),
    mappings: mappingsOf(objectOf(field(body, "mappings"))),
    aliases: mapValues(objectOf(field(body, "aliases")), aliasState),
  };
  return omit(parts, (_, part) => isEmpty(part));
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

/** `routing` stands for both of its kinds. */
export function aliasState(alias: unknown): unknown {
  const { routing, ...rest } = objectOf(alias);
  return routing === undefined
    ? rest
    : { index_routing: routing, search_routing: routing, ...rest };
}
