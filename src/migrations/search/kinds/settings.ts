import { field, isEmpty, isObject, type Json, mapValues, objectOf, omit } from "../json_values.ts";

/** Settings, mappings and aliases, as indices and templates have them; empty ones say nothing. */
export function definitionState(body: unknown, mappingsOf: (mappings: Json) => unknown): Json {
  const parts = {
    settings: flatSettings(objectOf(field(body, "settings"))),
    mappings: mappingsOf(objectOf(field(body, "mappings"))),
    aliases: mapValues(objectOf(field(body, "aliases")), aliasState),
  };
  return omit(parts, (_, part) => isEmpty(part));
}

/** `{ "index": { "refresh_interval": "1s" } }` and `{ "refresh_interval": "1s" }` are `index.refresh_interval`. */
export function flatSettings(settings: Json, prefix = ""): Json {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([key, value]): [string, unknown][] => {
      const path = prefix === "" ? key : `${prefix}.${key}`;
      if (isObject(value)) return Object.entries(flatSettings(value, path));
      return [[path.startsWith("index.") ? path : `index.${path}`, value]];
    }),
  );
}

/** `routing` stands for both of its kinds. */
function aliasState(alias: unknown): unknown {
  const { routing, ...rest } = objectOf(alias);
  return routing === undefined
    ? rest
    : { index_routing: routing, search_routing: routing, ...rest };
}
