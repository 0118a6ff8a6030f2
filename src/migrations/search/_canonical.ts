type Json = Readonly<Record<string, unknown>>;

/** What a cluster adds to a policy, or keeps for itself. */
const POLICY_OWN = ["policy_id", "last_updated_time", "schema_version", "user"];

/**
 * A template in one form: settings flat, patterns as a list. Clusters give mappings of templates back as they were put.
 */
export function templateState(body: unknown): unknown {
  const { index_patterns: patterns, template, ...rest } = objectOf(body);
  return {
    ...rest,
    ...(patterns !== undefined && { index_patterns: [patterns].flat() }),
    ...(template !== undefined && { template: bodyState(template, (mappings) => mappings) }),
  };
}

/** An index in one form: settings flat, mappings without what says nothing. */
export function indexState(body: unknown): unknown {
  return bodyState(body, indexMappings);
}

/** An ISM policy in one form: its templates as a list. */
export function policyState(policy: unknown): unknown {
  const entries = Object.entries(objectOf(policy)).filter(([key]) => !POLICY_OWN.includes(key));
  const { ism_template: template, ...rest } = Object.fromEntries(entries);
  return template === undefined || template === null
    ? rest
    : { ...rest, ism_template: [template].flat() };
}

/** Settings, mappings and aliases, as indices and templates have them; empty ones say nothing. */
function bodyState(body: unknown, mappingsOf: (mappings: Json) => unknown): Json {
  const { settings, mappings, aliases } = objectOf(body);
  const parts = {
    settings: flatSettings(objectOf(settings)),
    mappings: mappingsOf(objectOf(mappings)),
    aliases: mapValues(objectOf(aliases), aliasState),
  };
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => !isEmpty(part)));
}

/** `{ "index": { "refresh_interval": "1s" } }` and `{ "refresh_interval": "1s" }` are `index.refresh_interval`. */
function flatSettings(settings: Json, prefix = ""): Json {
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
/** On for text and off for everything else. */
const NORMS = (type: unknown) => type === "text";

function indexMappings({ _source: source, ...mappings }: Json): Json {
  const stored = objectOf(source);
  const isDefault = isEmpty(stored) ||
    (stored.enabled === true && Object.keys(stored).length === 1);
  return { ...objectOf(fieldState(mappings)), ...(isDefault ? {} : { _source: source }) };
}

/** The mapping of one field, and of those below it. */
function fieldState(mapping: unknown): unknown {
  if (!isObject(mapping)) return mapping;
  const { properties, fields, copy_to: copyTo, ...parameters } = mapping;
  const said = Object.entries(parameters).filter(([name, value]) =>
    name === "norms" ? value !== NORMS(parameters.type) : !same(value, DEFAULTS[name])
  );
  return {
    ...Object.fromEntries(said),
    ...(copyTo !== undefined && { copy_to: [copyTo].flat() }),
    ...below("properties", properties),
    ...below("fields", fields),
  };
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

function same(a: unknown, b: unknown): boolean {
  return b !== undefined && String(a) === String(b);
}

function mapValues(object: Json, change: (value: unknown) => unknown): Json {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}

function isEmpty(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

function objectOf(value: unknown): Json {
  return isObject(value) ? value : {};
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
