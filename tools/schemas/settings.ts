/** Settings of indices and of clusters, in every form that servers accept: nested, dotted, and partly both. */
import recorded from "./recorded_settings.json" with { type: "json" };
import type { Clients, ClientTypes, TypeSchema } from "./client_types.ts";
import {
  booleanOr,
  map,
  type Members,
  misspelt,
  object,
  orNull,
  ref,
  type Schema,
  SETTING_FORMS,
  words,
} from "./forms.ts";

const level = words("trace", "debug", "info", "warn");

/** Settings whose default does not show their form. */
const INDEX: Members = {
  analysis: ref("analysis"),
  auto_expand_replicas: autoExpand(),
  auto_expand_search_replicas: autoExpand(),
  codec: ref("setting.text"),
  compound_format: ref("setting.text"),
  "indexing.slowlog.level": level,
  "indexing.slowlog.source": ref("setting.text"),
  "lifecycle.rollover_alias": ref("setting.text"),
  "merge.policy": { type: ["object", "string", "null"] },
  number_of_replicas: ref("setting.count"),
  number_of_routing_shards: ref("setting.count"),
  number_of_search_replicas: ref("setting.count"),
  number_of_shards: ref("setting.count"),
  "plugins.index_state_management.rollover_alias": ref("setting.text"),
  "plugins.index_state_management.rollover_skip": ref("setting.boolean"),
  "plugins.index_state_management.auto_manage": ref("setting.boolean"),
  "plugins.index_state_management.policy_id": ref("setting.text"),
  "opendistro.index_state_management.rollover_alias": ref("setting.text"),
  "replication.type": words("document", "segment"),
  "routing.allocation.enable": words("all", "primaries", "new_primaries", "none"),
  "routing.rebalance.enable": words("all", "primaries", "replicas", "none"),
  "search.slowlog.level": level,
  "shard.check_on_startup": booleanOr("checksum", "fix"),
  similarity: map(map({})),
  "translog.durability": words("request", "async"),
};

/** Settings of which editors find misspelt ones. */
const USUAL = [
  ...["analysis", "auto_expand_replicas", "blocks", "codec", "default_pipeline", "final_pipeline"],
  ...["hidden", "lifecycle", "mapping", "max_ngram_diff", "max_result_window", "merge"],
  ...["number_of_replicas", "number_of_routing_shards", "number_of_shards", "priority", "query"],
  ...["refresh_interval", "replication", "routing", "search", "similarity", "sort", "store"],
  ...["translog", "unassigned"],
];

/** Settings that only the cluster itself writes. */
const INTERNAL = /^(?:uuid|provided_name|creation_date.*|history\..*|version\..*|settings|index)$/;
/** Names of the user's below a setting. */
const GROUPS = [
  ...["routing.allocation.require", "routing.allocation.include", "routing.allocation.exclude"],
];

const CLUSTER_GROUPS = [
  ...["require", "include", "exclude"].map((name) => `cluster.routing.allocation.${name}`),
  "cluster.routing.allocation.awareness.force",
  ...["cluster.metadata", "cluster.remote", "logger", "plugins.index_state_management"],
];

function autoExpand(): Schema {
  return {
    type: ["string", "boolean", "null"],
    pattern: "^(?:false|\\d+-(?:\\d+|all))$|\\$\\{",
    patternErrorMessage: "Expected 'false', or a range such as '0-1' or '0-all'",
  };
}

export function settings({ opensearch, elasticsearch }: Clients): Members {
  const leaves = new Map<string, Schema>();
  for (const client of [opensearch, elasticsearch]) {
    for (const [name, schema] of leavesOf(client, client.root("settings"))) {
      leaves.set(name, schema);
    }
  }
  for (const [name, value] of Object.entries(recorded.index)) {
    leaves.set(name.replace(/^index\./, ""), formOf(name, value));
  }
  for (const [name, schema] of Object.entries(INDEX)) leaves.set(name, schema);
  for (const name of GROUPS) leaves.set(name, map(ref("setting.text")));
  const known = new Map([...leaves].filter(([name]) => !INTERNAL.test(name)));
  for (const name of known.keys()) {
    // Below a group, and of a setting that others extend, the tree has names.
    const outer = [...known.keys()].find((other) => name.startsWith(`${other}.`));
    if (outer !== undefined && !Object.hasOwn(INDEX, name)) known.delete(name);
  }
  const cluster = new Map(
    Object.entries(recorded.cluster).map(([name, value]) => [name, formOf(name, value)]),
  );
  for (const name of CLUSTER_GROUPS) cluster.set(name, map({}));
  for (const name of ["allocation", "rebalance"]) {
    cluster.set(`cluster.routing.${name}.enable`, orNull(INDEX[`routing.${name}.enable`]!));
  }
  const names = object({
    index: ref("settings.index"),
    ...Object.fromEntries([...known].map(([name, schema]) => [`index.${name}`, schema])),
  });
  return {
    ...SETTING_FORMS,
    "settings.index": { ...treeOf(known), patternProperties: misspelt(USUAL) },
    settings: { ...names, allOf: [ref("settings.index")] },
    clusterSettings: treeOf(cluster),
  };
}

/** The settings of a type, by their dotted names. */
function leavesOf(
  client: ClientTypes,
  type: TypeSchema,
  above = "",
): readonly (readonly [string, Schema])[] {
  if (above.split(".").length > 6) return [];
  return Object.entries(client.members(type)).flatMap(([name, member]) => {
    const path = `${above}${name}`;
    if (INTERNAL.test(name) || Object.hasOwn(INDEX, path)) return [];
    if (Object.keys(client.members(member)).length > 0) {
      return leavesOf(client, member, `${path}.`);
    }
    return [[path, formOfType(client, member)] as const];
  });
}

function formOfType(client: ClientTypes, type: TypeSchema): Schema {
  const name = client.definitionName(type) ?? "";
  if (/Boolean$/.test(name)) return ref("setting.boolean");
  if (/Integer$|^integer$/.test(name)) return ref("setting.integer");
  if (/^Duration$/.test(name)) return ref("setting.time");
  if (/ByteCount$|^ByteSize$/.test(name)) return ref("setting.size");
  const { type: kind } = client.resolved(type);
  if (kind === "boolean") return ref("setting.boolean");
  if (kind === "number") return ref("setting.number");
  return kind === "object" ? {} : ref("setting.texts");
}

/** The form of a setting by its default. */
function formOf(name: string, value: string): Schema {
  if (/^(?:true|false)$/.test(value)) return ref("setting.boolean");
  if (/^-1$/.test(value)) {
    if (/threshold|(?:age|interval|timeout|period)$/.test(name)) return ref("setting.time");
    return ref(/size$/.test(name) ? "setting.size" : "setting.integer");
  }
  if (/^-?\d+$/.test(value)) return ref("setting.integer");
  if (/^-?\d+\.\d+$/.test(value)) return ref("setting.number");
  if (/^\d+(?:nanos|micros|ms|s|m|h|d)$/.test(value)) return ref("setting.time");
  if (/^\d+[kmgtp]?b$/.test(value)) return ref("setting.size");
  return ref("setting.texts");
}

/** An object for each part of the names; the outermost has the dotted names, too. */
function treeOf(leaves: ReadonlyMap<string, Schema>, isOuter = true): Schema {
  const properties: Record<string, Schema> = {};
  const heads = Map.groupBy([...leaves].sort(), ([name]) => name.split(".", 1)[0]!);
  for (const [head, members] of heads) {
    const below = members.filter(([name]) => name !== head);
    if (isOuter) {
      for (const [name, schema] of below) properties[name] = { ...schema, doNotSuggest: true };
    }
    const own = leaves.get(head);
    const rest = below.map(([name, schema]) => [name.slice(head.length + 1), schema] as const);
    properties[head] = own ? rest.length > 0 ? {} : own : treeOf(new Map(rest), false);
  }
  return object(properties);
}
