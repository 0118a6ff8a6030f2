/**
 * Policies. Those of the plugin of OpenSearch follow its parsers (`index-management`, 2.19 to 3.4), because its types in the
 * client are incomplete; those of Elasticsearch are of its client.
 */
import type { Clients } from "./client_types.ts";
import {
  ANY,
  list,
  map,
  type Members,
  misspelt,
  needs,
  object,
  orNull,
  ref,
  type Schema,
  words,
} from "./forms.ts";
import { relaxed } from "./relaxed.ts";

export function policies({ opensearch, elasticsearch }: Clients): Members {
  const snapshots = relaxed(opensearch, opensearch.root("snapshotPolicy")).properties as Members;
  return {
    ...ISM,
    "ilm.policy": relaxed(elasticsearch, elasticsearch.root("policy"), CLOSED),
    "sm.policy": object({ ...snapshots, ...SNAPSHOTS }, {
      required: ["snapshot_config"],
      closed: true,
    }),
    "slm.policy": object(
      relaxed(elasticsearch, elasticsearch.root("snapshotLifecycle"), CLOSED).properties as Members,
      { required: ["schedule", "name", "repository"], closed: true },
    ),
  };
}

const CLOSED = { closed: true };
const TEXT: Schema = { type: "string" };

const NOTIFICATION: Members = {
  destination: orNull(object({
    slack: object({ url: ref("text") }, { required: ["url"], closed: true }),
    chime: object({ url: ref("text") }, { required: ["url"], closed: true }),
    custom_webhook: object({
      url: ANY,
      scheme: ANY,
      host: ANY,
      port: ref("integer"),
      path: ANY,
      query_params: map(ANY),
      header_params: map(ANY),
      username: ANY,
      password: ANY,
    }, { closed: true }),
  }, { closed: true })),
  channel: orNull(object({ id: ref("text") }, { required: ["id"], closed: true })),
  message_template: ref("script"),
};

const ROLLOVER: Members = {
  min_size: ref("size"),
  min_primary_shard_size: ref("size"),
  min_doc_count: ref("integer"),
  min_index_age: ref("time"),
};

const NOTHING = object({}, { closed: true });

const ALIAS_CHANGE = object({
  index: TEXT,
  indices: list(TEXT),
  alias: TEXT,
  aliases: { type: ["array", "string"], items: TEXT },
  filter: ANY,
  routing: ref("text"),
  index_routing: ref("text"),
  search_routing: ref("text"),
  is_write_index: ref("boolean"),
  is_hidden: ref("boolean"),
  must_exist: ref("boolean"),
}, { closed: true });

const ACTIONS: Members = {
  timeout: { type: ["string", "object"] },
  retry: object({
    count: ref("integer"),
    backoff: words("exponential", "constant", "linear"),
    delay: ref("time"),
  }, { required: ["count"], closed: true }),
  custom: map(ANY),
  alias: object({ actions: list(object({ add: ALIAS_CHANGE, remove: ALIAS_CHANGE }, CLOSED)) }, {
    required: ["actions"],
    closed: true,
  }),
  allocation: object({
    require: map(ref("text")),
    include: map(ref("text")),
    exclude: map(ref("text")),
    wait_for: ref("boolean"),
  }, { closed: true }),
  close: NOTHING,
  convert_index_to_remote: object({
    repository: ref("text"),
    snapshot: ref("text"),
    include_aliases: ref("boolean"),
    ignore_index_settings: ref("text"),
    number_of_replicas: ref("integer"),
    delete_original_index: ref("boolean"),
    rename_pattern: ref("text"),
  }, { required: ["repository", "snapshot"], closed: true }),
  delete: NOTHING,
  force_merge: object({
    max_num_segments: ref("integer"),
    wait_for_completion: ref("boolean"),
    task_execution_timeout: ref("time"),
  }, { required: ["max_num_segments"], closed: true }),
  index_priority: object({ priority: ref("integer") }, { required: ["priority"], closed: true }),
  notification: object(NOTIFICATION, { required: ["message_template"], closed: true }),
  open: NOTHING,
  read_only: NOTHING,
  read_write: NOTHING,
  replica_count: object({ number_of_replicas: ref("integer") }, {
    required: ["number_of_replicas"],
    closed: true,
  }),
  rollover: object({
    ...ROLLOVER,
    copy_alias: ref("boolean"),
    prevent_empty_rollover: ref("boolean"),
    any_of: list(object(ROLLOVER, { closed: true })),
  }, { closed: true }),
  rollup: object({
    ism_rollup: object({
      description: ref("text"),
      target_index: ref("text"),
      source_index: ref("text"),
      target_index_settings: ref("settings"),
      page_size: ref("integer"),
      dimensions: list(map(ANY)),
      metrics: list(map(ANY)),
      routing_field: ANY,
    }, { closed: true }),
  }, { required: ["ism_rollup"], closed: true }),
  search_only: NOTHING,
  shrink: object({
    num_new_shards: ref("integer"),
    max_shard_size: ref("size"),
    percentage_of_source_shards: ref("number"),
    target_index_name_template: ref("script"),
    aliases: orNull(list(map(ref("alias")))),
    switch_aliases: ref("boolean"),
    force_unsafe: ref("boolean"),
  }, { closed: true }),
  snapshot: object({
    repository: ref("text"),
    snapshot: ref("text"),
    include_global_state: ref("boolean"),
  }, { required: ["repository", "snapshot"], closed: true }),
  stop_replication: NOTHING,
  transform: object({
    ism_transform: object({
      description: ref("text"),
      target_index: ref("text"),
      page_size: ref("integer"),
      data_selection_query: ANY,
      groups: list(map(ANY)),
      aggregations: ANY,
    }, { closed: true }),
  }, { required: ["ism_transform"], closed: true }),
};

const ISM: Members = {
  "ism.policy": object({
    policy_id: ref("text"),
    description: ref("text"),
    schema_version: ref("integer"),
    last_updated_time: ANY,
    user: ANY,
    error_notification: orNull(
      object(NOTIFICATION, { required: ["message_template"], closed: true }),
    ),
    default_state: ref("text"),
    states: list(ref("ism.state")),
    ism_template: {
      anyOf: [
        { type: "array", items: ref("ism.template") },
        ref("ism.template"),
        { type: "null" },
      ],
    },
  }, { required: ["description", "default_state", "states"], closed: true }),
  "ism.template": object({
    index_patterns: list(ref("text")),
    priority: { type: ["integer", "string", "null"] },
    last_updated_time: ANY,
  }, { closed: true }),
  "ism.state": object({
    name: ref("text"),
    actions: list(ref("ism.action")),
    transitions: list(ref("ism.transition")),
  }, { required: ["name"], closed: true }),
  "ism.transition": object({
    state_name: ref("text"),
    conditions: object({
      min_index_age: ref("time"),
      min_rollover_age: ref("time"),
      min_state_age: ref("time"),
      min_doc_count: ref("integer"),
      min_size: ref("size"),
      cron: ref("schedule"),
      no_alias: ref("boolean"),
    }, { closed: true }),
  }, { required: ["state_name"], closed: true }),
  "ism.action": { ...object(ACTIONS), patternProperties: misspelt(Object.keys(ACTIONS)) },
  aliasAction: object({
    add: { ...ALIAS_CHANGE, allOf: [needs("index", "indices"), needs("alias", "aliases")] },
    remove: { ...ALIAS_CHANGE, allOf: [needs("index", "indices"), needs("alias", "aliases")] },
    remove_index: { ...ALIAS_CHANGE, allOf: [needs("index", "indices")] },
  }, CLOSED),
  schedule: object({
    cron: object({ expression: ref("text"), timezone: ref("text") }, CLOSED),
    interval: map(ANY),
  }, CLOSED),
};

/** The plugin ignores unknown members of snapshot policies, so that a misplaced one has no effect. */
const SNAPSHOTS: Members = {
  name: ref("text"),
  schema_version: ANY,
  schedule: ANY,
  last_updated_time: ANY,
  enabled_time: ANY,
  user: ANY,
  creation: orNull(object({
    schedule: ref("schedule"),
    time_limit: ref("time"),
  }, { required: ["schedule"], closed: true })),
  deletion: orNull(object({
    schedule: ref("schedule"),
    time_limit: ref("time"),
    condition: object({
      max_age: ref("time"),
      max_count: ref("integer"),
      min_count: ref("integer"),
    }, CLOSED),
    snapshot_pattern: ref("text"),
  }, { required: ["condition"], closed: true })),
  notification: orNull(object({
    channel: object({ id: ref("text") }, { required: ["id"], closed: true }),
    conditions: object({
      creation: ref("boolean"),
      deletion: ref("boolean"),
      failure: ref("boolean"),
      time_limit_exceeded: ref("boolean"),
    }, CLOSED),
  }, { required: ["channel"], closed: true })),
  snapshot_config: object({
    repository: ref("text"),
    indices: ref("texts"),
    date_format: ref("text"),
    date_format_timezone: ref("text"),
    timezone: ref("text"),
    ignore_unavailable: ref("boolean"),
    include_global_state: ref("boolean"),
    partial: ref("boolean"),
    metadata: map(ANY),
  }, { required: ["repository"] }),
};
