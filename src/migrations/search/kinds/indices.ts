import { field, isEmpty, isObject, type Json, objectOf, omit } from "../json/json_values.ts";
import { definitionState } from "./settings.ts";
import type { Kind } from "./types.ts";

/** An index by its name alone: no list, no pattern, no date math. */
const NAME = "((?!_)[^/,*%<>]+)";

/** The index itself. Creating it does not change one that is there (reference 4.4 rule 8), so it is but a part. */
export const INDICES: Kind = { ...indices("", (body) => body ?? {}), write: "once" };
/** Its mappings. */
export const MAPPINGS: Kind = indices("/_mappings?", (mappings) => ({ mappings }));
/** Its settings. */
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
    wanted: (body) => indexState(wanted(body)),
    read: (json) => Object.values(objectOf(json)).map(indexState),
  };
}

/** An index in one form: settings flat, mappings without what says nothing. */
export function indexState(body: unknown): unknown {
  return definitionState(body, mappingsState);
}

/** What an index says of parameters that were given with the value they have anyway: nothing (tried, 2.19). */
const DEFAULTS: Json = {
  index: true,
  doc_values: true,
  store: false,
  fielddata: false,
  eager_global_ordinals: false,
  index_options: "positions",
  ignore_above: 2147483647,
  include_in_parent: false,
  include_in_root: false,
  enabled: true,
  type: "object",
  format: "strict_date_optional_time||epoch_millis",
};

function mappingsState({ _source: source, ...mappings }: Json): Json {
  const stored = objectOf(source);
  const isDefault = isEmpty(stored) ||
    (stored.enabled === true && Object.keys(stored).length === 1);
  return { ...objectOf(fieldState(mappings)), ...(isDefault ? {} : { _source: source }) };
}

/** The mapping of one field, and of those below it. */
function fieldState(mapping: unknown): unknown {
  if (!isObject(mapping)) return mapping;
  const { properties, fields, copy_to: copyTo, ...parameters } = mapping;
  return {
    ...omit(parameters, (name, value) => isDefault(name, value, parameters.type)),
    ...(copyTo !== undefined && { copy_to: [copyTo].flat() }),
    ...below("properties", properties),
    ...below("fields", fields),
  };
}

/** `norms` are on for text and off for everything else. */
function isDefault(name: string, value: unknown, type: unknown): boolean {
  const usual = name === "norms" ? type === "text" : DEFAULTS[name];
  return usual !== undefined && String(value) === String(usual);
}

/** `host.name` is the field `name` of the object `host`. */
function below(name: "properties" | "fields", fields: unknown): Json {
  const states: Record<string, unknown> = {};
  for (const [path, mapping] of Object.entries(objectOf(fields))) {
    const names = name === "properties" ? path.split(".") : [path];
    let target = states;
    for (const outer of names.slice(0, -1)) {
      const object = (target[outer] ??= {}) as Record<string, unknown>;
      target = (object.properties ??= {}) as Record<string, unknown>;
    }
    const last = names.at(-1)!;
    target[last] = { ...objectOf(target[last]), ...objectOf(fieldState(mapping)) };
  }
  return isEmpty(states) ? {} : { [name]: states };
}
