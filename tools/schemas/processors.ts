/** Processors of ingest pipelines and of search pipelines. */
import type { Clients, ClientTypes } from "./client_types.ts";
import {
  ANY,
  list,
  map,
  type Members,
  misspelt,
  needs,
  object,
  ref,
  type Schema,
  words,
} from "./forms.ts";
import { merged, relaxedMembers } from "./relaxed.ts";

/** Processors of the servers themselves, which refuse unknown parameters; those of plugins change with their versions. */
const CORE = new Set([
  ...["append", "bytes", "convert", "csv", "date", "date_index_name", "dissect", "dot_expander"],
  ...["drop", "fail", "foreach", "grok", "gsub", "html_strip", "join", "json", "kv", "lowercase"],
  ...["pipeline", "remove", "rename", "script", "set", "sort", "split", "trim", "uppercase"],
  ...["urldecode", "copy", "remove_by_pattern"],
]);

/** Members of every processor. */
const COMMON: Members = {
  description: ref("text"),
  if: { type: ["string", "object"] },
  ignore_failure: ref("boolean"),
  on_failure: list(ref("processor")),
  tag: ref("text"),
};

/**
 * Parameters that servers read and the types of the clients lack (the factories of OpenSearch 2.19 and 3.4), or describe too
 * widely.
 */
const LACKING: Readonly<Record<string, Members>> = {
  acl_routing: {
    acl_field: ref("text"),
    target_field: ref("text"),
    ignore_missing: ref("boolean"),
    override_existing: ref("boolean"),
  },
  community_id: Object.fromEntries(
    ["source_ip", "source_port", "destination_ip", "destination_port", "iana_protocol_number"]
      .concat(["protocol", "icmp_type", "icmp_code"])
      .map((name) => [`${name}_field`, ref("text")]),
  ),
  convert: {
    type: words("auto", "boolean", "double", "float", "integer", "ip", "long", "string"),
  },
  copy: {
    source_field: ref("text"),
    target_field: ref("text"),
    ignore_missing: ref("boolean"),
    remove_source: ref("boolean"),
    override_target: ref("boolean"),
  },
  fingerprint: { exclude_fields: ref("texts"), hash_method: ref("text") },
  grok: { capture_all_matches: ref("boolean") },
  hierarchical_routing: {
    path_field: ref("text"),
    anchor_depth: ref("integer"),
    path_separator: ref("text"),
    ignore_missing: ref("boolean"),
    override_existing: ref("boolean"),
  },
  remove: { exclude_field: ref("texts") },
  remove_by_pattern: { field_pattern: ref("texts"), exclude_field_pattern: ref("texts") },
  rename: { override_target: ref("boolean") },
  script: { options: map(ANY), inline: ref("text") },
  temporal_routing: {
    timestamp_field: ref("text"),
    granularity: ref("text"),
    format: ref("text"),
    ignore_missing: ref("boolean"),
    override_existing: ref("boolean"),
    hash_bucket: ref("boolean"),
  },
};

/** Parameters whose types the clients describe too narrowly. */
const PARAMETERS: Members = { value: ANY, params: ANY, source: ANY, lang: ref("language") };

/** Members that a processor requires in every version. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    ["append", "bytes", "convert", "csv", "date", "dissect", "dot_expander", "foreach", "grok"]
      .concat(["gsub", "html_strip", "join", "json", "kv", "lowercase", "rename", "set", "sort"])
      .concat(["split", "trim", "uppercase", "urldecode"])
      .map((name) => [name, ["field"]]),
  ),
  convert: ["field", "type"],
  date: ["field", "formats"],
  dissect: ["field", "pattern"],
  fail: ["message"],
  foreach: ["field", "processor"],
  grok: ["field", "patterns"],
  gsub: ["field", "pattern", "replacement"],
  kv: ["field", "field_split", "value_split"],
  pipeline: ["name"],
  rename: ["field", "target_field"],
  filter_query: ["query"],
  rename_field: ["field", "target_field"],
};

export function processors(clients: Clients): Members {
  const { opensearch, elasticsearch } = clients;
  const found = both(
    processorsOf(opensearch, "processor"),
    processorsOf(elasticsearch, "processor"),
  );
  for (const [name, members] of Object.entries(LACKING)) {
    found.set(name, { ...found.get(name), ...members });
  }
  const ofKind = (name: string) => containerOf(processorsOf(opensearch, name), () => false);
  return {
    processor: containerOf(found, (name) => CORE.has(name)),
    "searchPipeline.request": ofKind("requestProcessor"),
    "searchPipeline.response": ofKind("responseProcessor"),
    "searchPipeline.phaseResults": ofKind("phaseResultsProcessor"),
    pipeline: object({
      ...INFORMATION,
      processors: list(ref("processor")),
      on_failure: list(ref("processor")),
      deprecated: ref("boolean"),
      field_access_pattern: ref("text"),
      created_date: ANY,
      created_date_millis: ANY,
      modified_date: ANY,
      modified_date_millis: ANY,
    }, { required: ["processors"], closed: true }),
    searchPipeline: object({
      ...INFORMATION,
      request_processors: list(ref("searchPipeline.request")),
      response_processors: list(ref("searchPipeline.response")),
      phase_results_processors: list(ref("searchPipeline.phaseResults")),
    }, { closed: true }),
  };
}

const INFORMATION: Members = {
  description: ref("text"),
  version: ref("integer"),
  _meta: map(ANY),
};

function processorsOf(client: ClientTypes, root: string): ReadonlyMap<string, Members> {
  return new Map(
    Object.entries(client.members(client.root(root))).map(([name, type]) =>
      [name, relaxedMembers(client, client.members(type), { exact: CORE.has(name) })] as const
    ),
  );
}

function both(
  one: ReadonlyMap<string, Members>,
  other: ReadonlyMap<string, Members>,
): Map<string, Members> {
  const names = new Set([...one.keys(), ...other.keys()]);
  return new Map(
    [...names].map((name) => [name, merged(one.get(name) ?? {}, other.get(name) ?? {})]),
  );
}

function containerOf(
  found: ReadonlyMap<string, Members>,
  isClosed: (name: string) => boolean,
): Schema {
  const properties = Object.fromEntries(
    [...found].toSorted(([a], [b]) => a < b ? -1 : 1).map(([name, members]) => {
      const closed = isClosed(name);
      const own = Object.entries({ ...members, ...COMMON }).sort(([a], [b]) => a < b ? -1 : 1)
        .map(([name, schema]) => [name, PARAMETERS[name] ?? schema]);
      const schema = object(Object.fromEntries(own), { closed, required: REQUIRED[name] ?? [] });
      if (name === "set") return [name, { ...schema, ...needs("value", "copy_from") }];
      return [name, name === "script" ? { ...schema, pattern: undefined } : schema];
    }),
  );
  return {
    ...object(properties),
    patternProperties: misspelt(Object.keys(properties)),
    additionalProperties: { type: "object" },
  };
}
