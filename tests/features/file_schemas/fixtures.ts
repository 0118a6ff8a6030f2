/** Files of every kind. What users name begins with `my`, and words of the server's own do not. */
export const FIXTURES: Readonly<Record<string, unknown>> = {
  "my_logs-template.json": {
    index_patterns: ["my_logs-*"],
    priority: 500,
    version: 3,
    composed_of: [],
    _meta: { my_owner: "my_team" },
    data_stream: { hidden: false },
    template: {
      settings: {
        index: {
          number_of_shards: 1,
          number_of_replicas: 1,
          refresh_interval: "30s",
          codec: "best_compression",
          mapping: { total_fields: { limit: 2000 } },
          translog: { durability: "async", sync_interval: "10s", flush_threshold_size: "512mb" },
        },
        analysis: {
          analyzer: {
            my_words: { type: "custom", tokenizer: "standard", filter: ["lowercase", "my_stop"] },
          },
          filter: { my_stop: { type: "stop", stopwords: "_english_", ignore_case: true } },
        },
      },
      mappings: {
        dynamic: "strict",
        date_detection: false,
        _source: { enabled: true },
        dynamic_templates: [{
          my_texts: {
            match_mapping_type: "string",
            path_match: "my_labels.*",
            mapping: { type: "keyword", ignore_above: 256 },
          },
        }],
        properties: {
          "@timestamp": { type: "date", format: "strict_date_optional_time" },
          my_message: {
            type: "text",
            analyzer: "my_words",
            index_options: "offsets",
            term_vector: "with_positions_offsets",
            fields: { my_raw: { type: "keyword", ignore_above: 256, doc_values: true } },
          },
          my_level: { type: "keyword", eager_global_ordinals: true, null_value: "my_none" },
          my_bytes: { type: "long", coerce: false, ignore_malformed: true },
          my_ratio: { type: "scaled_float", scaling_factor: 100 },
          my_place: { type: "geo_point", ignore_z_value: false },
          my_span: { type: "date_range", format: "epoch_millis" },
          my_user: {
            type: "nested",
            dynamic: false,
            properties: { my_name: { type: "text", norms: false } },
          },
        },
      },
      aliases: { my_all: { is_hidden: false } },
    },
  },
  "my_users-template.json": {
    priority: 7,
    settings: { number_of_shards: 2, "index.max_result_window": 20000 },
    mappings: { properties: { my_name: { type: "completion", max_input_length: 20 } } },
    aliases: { my_people: { is_write_index: true, routing: "1" } },
  },
  "my_base-component.json": {
    version: 1,
    template: {
      settings: { "index.blocks.write": false, "index.sort.field": "my_at" },
      mappings: {
        dynamic: true,
        numeric_detection: true,
        properties: { my_at: { type: "date" }, my_ip: { type: "ip", store: true } },
      },
    },
  },
  "my_orders-index.json": {
    settings: {
      index: { number_of_shards: 1, number_of_replicas: 0, "mapping.total_fields.limit": 500 },
      analysis: {
        tokenizer: { my_grams: { type: "ngram", min_gram: 2, max_gram: 3 } },
        analyzer: { my_grams: { tokenizer: "my_grams" } },
      },
    },
    mappings: {
      _routing: { required: false },
      properties: {
        my_sku: { type: "keyword", normalizer: "lowercase" },
        my_total: { type: "double", index: true },
      },
    },
    aliases: { my_orders_now: {} },
  },
  "my_fields.json": {
    method: "PUT",
    path: "/my_orders/_mapping",
    body: { properties: { my_host: { type: "keyword", doc_values: false } } },
  },
  "my_settings.json": {
    method: "PUT",
    path: "/my_orders/_settings",
    body: { index: { refresh_interval: "5s", number_of_replicas: 0 } },
  },
  "my_switch.json": {
    method: "POST",
    path: "/_aliases",
    body: {
      actions: [
        { add: { index: "my_orders", alias: "my_current", is_write_index: true } },
        { remove: { index: "my_orders", alias: "my_orders_now", must_exist: false } },
      ],
    },
  },
  "my_repository.json": {
    method: "PUT",
    path: "/_snapshot/my_backup?verify=false",
    body: { type: "fs", settings: { location: "my_backup", compress: true } },
  },
  "my_ingest-pipeline.json": {
    description: "my pipeline",
    version: 2,
    processors: [
      { set: { field: "my_env", value: "prod", override: false } },
      { convert: { field: "my_bytes", type: "long", ignore_missing: true } },
      { date: { field: "my_at", formats: ["ISO8601"], target_field: "@timestamp" } },
      { grok: { field: "my_message", patterns: ["%{IP:my_ip}"], ignore_failure: true } },
      { rename: { field: "my_old", target_field: "my_new", ignore_missing: true } },
      { script: { lang: "painless", source: "ctx.my_n = params.my_n", params: { my_n: 1 } } },
      { remove: { field: ["my_tmp"], ignore_missing: true } },
      { gsub: { field: "my_message", pattern: "a", replacement: "b", tag: "my_tag" } },
      { foreach: { field: "my_list", processor: { uppercase: { field: "_ingest._value" } } } },
    ],
    on_failure: [{ set: { field: "my_error", value: "{{_ingest.on_failure_message}}" } }],
  },
  "my_search-search-pipeline.json": {
    description: "my search",
    request_processors: [{
      filter_query: { query: { term: { my_public: true } }, tag: "my_tag" },
    }],
    response_processors: [{ rename_field: { field: "my_a", target_field: "my_b" } }],
  },
  "my_score-script.json": {
    script: { lang: "painless", source: "doc['my_n'].value * params.my_f" },
  },
  "my_reader-role.json": {
    description: "my role",
    cluster_permissions: ["cluster_monitor"],
    index_permissions: [{
      index_patterns: ["my_*"],
      allowed_actions: ["read"],
      dls: "",
      fls: ["~my_secret"],
      masked_fields: ["my_mail"],
    }],
    tenant_permissions: [{ tenant_patterns: ["my_*"], allowed_actions: ["kibana_all_read"] }],
  },
  "my_reader-role-mapping.json": {
    users: ["my_ada"],
    backend_roles: ["my_sales"],
    hosts: ["*.example.org"],
  },
  "my_group-action-group.json": { type: "index", allowed_actions: ["read", "write"] },
  "my_tenant-tenant.json": { description: "my tenant" },
  "my_ada-user.json": {
    password: "Long-Passw0rd-9173!",
    backend_roles: ["my_sales"],
    attributes: { my_team: "my_a" },
    opendistro_security_roles: ["readall"],
  },
  "my-cluster-settings.json": {
    persistent: {
      "cluster.routing.allocation.enable": "all",
      "indices.recovery.max_bytes_per_sec": "40mb",
      cluster: { max_shards_per_node: 1000 },
      search: { default_search_timeout: "-1" },
    },
  },
  "my_hot-policy.json": {
    policy: {
      description: "my policy",
      default_state: "my_hot",
      error_notification: {
        channel: { id: "my_channel" },
        message_template: { source: "my message" },
      },
      states: [
        {
          name: "my_hot",
          actions: [
            { rollover: { min_size: "50gb", min_index_age: "1d", copy_alias: true } },
            { index_priority: { priority: 100 }, timeout: "1h" },
            {
              replica_count: { number_of_replicas: 2 },
              retry: { count: 3, backoff: "exponential", delay: "1m" },
            },
          ],
          transitions: [{ state_name: "my_old", conditions: { min_index_age: "30d" } }],
        },
        {
          name: "my_old",
          actions: [
            { force_merge: { max_num_segments: 1 } },
            { allocation: { require: { my_box: "warm" }, wait_for: false } },
            { snapshot: { repository: "my_backup", snapshot: "my_snapshot" } },
            { notification: { channel: { id: "my_c" }, message_template: { source: "my" } } },
          ],
          transitions: [{
            state_name: "my_gone",
            conditions: { cron: { cron: { expression: "0 8 * * *", timezone: "UTC" } } },
          }],
        },
        { name: "my_gone", actions: [{ delete: {} }], transitions: [] },
      ],
      ism_template: [{ index_patterns: ["my_logs-*"], priority: 100 }],
    },
  },
  "my_daily-snapshots.json": {
    description: "my snapshots",
    enabled: true,
    creation: {
      schedule: { cron: { expression: "0 8 * * *", timezone: "UTC" } },
      time_limit: "1h",
    },
    deletion: {
      schedule: { cron: { expression: "0 9 * * *", timezone: "UTC" } },
      condition: { max_age: "7d", max_count: 21, min_count: 7 },
    },
    snapshot_config: {
      repository: "my_backup",
      indices: "my_*",
      ignore_unavailable: true,
      include_global_state: false,
    },
    notification: { channel: { id: "my_c" }, conditions: { failure: true } },
  },
  "my_warm-policy.json": {
    policy: {
      phases: {
        hot: { min_age: "0ms", actions: { rollover: { max_age: "1d", max_docs: 100 } } },
        warm: { min_age: "7d", actions: { forcemerge: { max_num_segments: 1 } } },
        delete: { min_age: "30d", actions: { delete: {} } },
      },
    },
  },
  "my_nightly-snapshots.json": {
    schedule: "0 30 1 * * ?",
    name: "<my-{now/d}>",
    repository: "my_backup",
    config: { indices: ["my_*"], include_global_state: false },
    retention: { expire_after: "30d", min_count: 5 },
  },
  "my_writer-role.json": {
    cluster: ["monitor"],
    indices: [{ names: ["my_*"], privileges: ["write"], allow_restricted_indices: false }],
    run_as: [],
  },
  "my_writer-role-mapping.json": {
    enabled: true,
    roles: ["my_writer"],
    rules: { field: { username: "my_bob" } },
  },
  "my_bob-user.json": { password: "Long-Passw0rd-9173!", roles: ["my_writer"], enabled: true },
  "my_metrics-data-stream.json": {},
};
