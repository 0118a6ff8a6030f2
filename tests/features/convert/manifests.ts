/** Manifests in the shapes of the operator's resources: every field that each of them has. */
export const EVERY_FIELD: readonly Sample[] = [
  {
    yaml: `
apiVersion: opensearch.org/v1
kind: OpenSearchISMPolicy
metadata:
  name: lifecycle
  namespace: search
  labels: { team: logs }
spec:
  opensearchCluster: { name: logs }
  policyId: cv-lifecycle
  applyToExistingIndices: false
  description: From hot to gone
  defaultState: hot
  errorNotification:
    destination:
      slack: { url: "https://chat.example/hook" }
    messageTemplate: { source: "failed: {{ctx.index}}" }
  ismTemplate:
    indexPatterns: ["cv-*"]
    priority: 7
  states:
    - name: hot
      actions:
        - rollover:
            minDocCount: 0
            minIndexAge: 1d
            minPrimaryShardSize: 10gb
            minSize: 30gb
        - alias:
            actions:
              - add: { aliases: [cv-now], routing: a, isWriteIndex: false }
              - remove: { aliases: [cv-old] }
          timeout: 1h
        - indexPriority: { priority: 50 }
      transitions:
        - stateName: warm
          conditions: { minIndexAge: 7d }
        - stateName: warm
          conditions: { minDocCount: 0 }
        - stateName: warm
          conditions: { minSize: 1gb }
        - stateName: warm
          conditions: { minRolloverAge: 2d }
        - stateName: gone
          conditions:
            cron:
              cron: { expression: "0 3 * * 0", timezone: Europe/Paris }
    - name: warm
      actions:
        - replicaCount: { numberOfReplicas: 0 }
          retry: { count: 5, backoff: linear, delay: 5m }
        - forceMerge: { maxNumSegments: 1 }
        - allocation:
            require: { temp: warm }
            include: ""
            exclude: ""
            waitFor: "true"
        - shrink: { numNewShards: 1, forceUnsafe: true, targetIndexNameTemplate: "small_{{ctx.index}}" }
        - readOnly: {}
        - readWrite: {}
        - close: {}
        - open: {}
        - snapshot: { repository: backup, snapshot: warm }
      transitions:
        - stateName: gone
          conditions: {}
    - name: gone
      actions:
        - delete: {}
status:
  state: CREATED
  policyId: cv-lifecycle
`,
    path: "60-policies/cv-lifecycle-policy.json",
    body: {
      policy: {
        default_state: "hot",
        description: "From hot to gone",
        error_notification: {
          destination: { slack: { url: "https://chat.example/hook" } },
          message_template: { source: "failed: {{ctx.index}}" },
        },
        ism_template: [{ index_patterns: ["cv-*"], priority: 7 }],
        states: [
          {
            actions: [
              {
                rollover: {
                  min_doc_count: 0,
                  min_index_age: "1d",
                  min_primary_shard_size: "10gb",
                  min_size: "30gb",
                },
              },
              {
                alias: {
                  actions: [
                    { add: { aliases: ["cv-now"], routing: "a", is_write_index: false } },
                    { remove: { aliases: ["cv-old"] } },
                  ],
                },
                timeout: "1h",
              },
              { index_priority: { priority: 50 } },
            ],
            name: "hot",
            transitions: [
              { conditions: { min_index_age: "7d" }, state_name: "warm" },
              { conditions: { min_doc_count: 0 }, state_name: "warm" },
              { conditions: { min_size: "1gb" }, state_name: "warm" },
              { conditions: { min_rollover_age: "2d" }, state_name: "warm" },
              {
                conditions: {
                  cron: { cron: { expression: "0 3 * * 0", timezone: "Europe/Paris" } },
                },
                state_name: "gone",
              },
            ],
          },
          {
            actions: [
              {
                replica_count: { number_of_replicas: 0 },
                retry: { backoff: "linear", count: 5, delay: "5m" },
              },
              { force_merge: { max_num_segments: 1 } },
              { allocation: { require: { temp: "warm" }, wait_for: true } },
              {
                shrink: {
                  force_unsafe: true,
                  num_new_shards: 1,
                  target_index_name_template: "small_{{ctx.index}}",
                },
              },
              { read_only: {} },
              { read_write: {} },
              { close: {} },
              { open: {} },
              { snapshot: { repository: "backup", snapshot: "warm" } },
            ],
            name: "warm",
            transitions: [{ state_name: "gone" }],
          },
          { actions: [{ delete: {} }], name: "gone" },
        ],
      },
    },
  },
  {
    yaml: `
apiVersion: opensearch.opster.io/v1
kind: OpensearchIndexTemplate
metadata: { name: events-of-cr, namespace: search }
spec:
  opensearchCluster: { name: logs }
  name: cv-events
  indexPatterns: ["cv-events-*"]
  dataStream: { timestamp_field: { name: "@timestamp" } }
  composedOf: [cv-base]
  priority: 3120
  version: 4
  _meta: { owner: { team: logs }, since: 2024-01-01 }
  template:
    settings:
      number_of_shards: 1
      index.refresh_interval: 5s
    mappings:
      dynamic: false
      properties:
        "@timestamp": { type: date }
    aliases:
      cv-all:
        filter: { term: { level: error } }
        routing: a
        isWriteIndex: false
`,
    path: "55-templates/cv-events-template.json",
    body: {
      index_patterns: ["cv-events-*"],
      data_stream: { timestamp_field: { name: "@timestamp" } },
      template: {
        settings: { number_of_shards: 1, "index.refresh_interval": "5s" },
        mappings: { dynamic: false, properties: { "@timestamp": { type: "date" } } },
        aliases: { "cv-all": { filter: { term: { level: "error" } }, routing: "a" } },
      },
      composed_of: ["cv-base"],
      priority: 3120,
      version: 4,
      _meta: { owner: { team: "logs" }, since: "2024-01-01" },
    },
  },
  {
    yaml: `
apiVersion: opensearch.org/v1
kind: OpensearchComponentTemplate
metadata: { name: cv-base, namespace: search }
spec:
  opensearchCluster: { name: logs }
  allowAutoCreate: false
  version: 2
  _meta: { by: logs }
  template:
    settings: { index: { number_of_replicas: 0 } }
    aliases:
      cv-written: { isWriteIndex: true }
`,
    path: "50-components/cv-base-component.json",
    body: {
      template: {
        settings: { index: { number_of_replicas: 0 } },
        aliases: { "cv-written": { is_write_index: true } },
      },
      version: 2,
      _meta: { by: "logs" },
    },
  },
  {
    yaml: `
apiVersion: opensearch.opster.io/v1
kind: OpensearchSnapshotPolicy
metadata: { name: daily-of-cr, namespace: search }
spec:
  opensearchCluster: { name: logs }
  policyName: cv-daily
  description: ""
  enabled: false
  snapshotConfig:
    repository: backup
    indices: "*"
    dateFormat: yyyy-MM-dd-HH-mm
    dateFormatTimezone: UTC
    ignoreUnavailable: false
    includeGlobalState: true
    partial: false
    metadata: { by: logs }
  creation:
    schedule: { cron: { expression: "0 8 * * *", timezone: UTC } }
    timeLimit: 1h
  deletion:
    schedule: { cron: { expression: "0 1 * * *", timezone: UTC } }
    timeLimit: 30m
    deleteCondition: { maxAge: 7d, maxCount: 21, minCount: 7 }
  notification:
    channel: { id: chat }
    conditions: { creation: true, deletion: false, failure: true }
`,
    path: "65-snapshots/cv-daily-snapshots.json",
    body: {
      description: "",
      enabled: false,
      snapshot_config: {
        date_format: "yyyy-MM-dd-HH-mm",
        date_format_timezone: "UTC",
        indices: "*",
        repository: "backup",
        ignore_unavailable: false,
        include_global_state: true,
        partial: false,
        metadata: { by: "logs" },
      },
      creation: {
        schedule: { cron: { expression: "0 8 * * *", timezone: "UTC" } },
        time_limit: "1h",
      },
      deletion: {
        schedule: { cron: { expression: "0 1 * * *", timezone: "UTC" } },
        time_limit: "30m",
        condition: { max_count: 21, max_age: "7d", min_count: 7 },
      },
      notification: {
        channel: { id: "chat" },
        conditions: { creation: true, deletion: false, failure: true },
      },
    },
  },
  {
    yaml: `
apiVersion: opensearch.org/v1
kind: OpensearchActionGroup
metadata: { name: cv-looks, namespace: search }
spec:
  opensearchCluster: { name: logs }
  allowedActions: ["indices:data/read/search*", "indices:data/read/get"]
  type: index
  description: Looks
`,
    path: "80-action-groups/cv-looks-action-group.json",
    body: {
      allowed_actions: ["indices:data/read/search*", "indices:data/read/get"],
      type: "index",
      description: "Looks",
    },
  },
  {
    yaml: `
apiVersion: opensearch.org/v1
kind: OpensearchTenant
metadata: { name: cv-team, namespace: search }
spec:
  opensearchCluster: { name: logs }
  description: The team
`,
    path: "82-tenants/cv-team-tenant.json",
    body: { description: "The team" },
  },
  {
    yaml: `
apiVersion: opensearch.org/v1
kind: OpensearchRole
metadata: { name: cv-reader, namespace: search }
spec:
  opensearchCluster: { name: logs }
  clusterPermissions: [cluster_monitor]
  indexPermissions:
    - indexPatterns: ["cv-*"]
      dls: '{"term":{"owner":"\${user.name}"}}'
      fls: [~secret]
      allowedActions: [read, cv-looks]
      maskedFields: [mail]
  tenantPermissions:
    - tenantPatterns: [cv-team]
      allowedActions: [kibana_all_read]
`,
    path: "84-roles/cv-reader-role.json",
    body: {
      cluster_permissions: ["cluster_monitor"],
      index_permissions: [{
        index_patterns: ["cv-*"],
        dls: '{"term":{"owner":"${user.name}"}}',
        fls: ["~secret"],
        allowed_actions: ["read", "cv-looks"],
        masked_fields: ["mail"],
      }],
      tenant_permissions: [{
        tenant_patterns: ["cv-team"],
        allowed_actions: ["kibana_all_read"],
      }],
    },
  },
  {
    yaml: `
apiVersion: opensearch.org/v1
kind: OpensearchUser
metadata: { name: cv-ada, namespace: search }
spec:
  opensearchCluster: { name: logs }
  passwordFrom: { name: users, key: ada, optional: false }
  opendistroSecurityRoles: [cv-reader]
  backendRoles: [cv-staff]
  attributes: { team: logs }
`,
    path: "86-users/cv-ada-user.json",
    body: {
      password: "${USER_CV_ADA_PASSWORD}",
      opendistro_security_roles: ["cv-reader"],
      backend_roles: ["cv-staff"],
      attributes: { team: "logs" },
    },
  },
  {
    yaml: `
apiVersion: opensearch.org/v1
kind: OpensearchUserRoleBinding
metadata: { name: readers, namespace: search }
spec:
  opensearchCluster: { name: logs }
  roles: [cv-reader]
  users: [cv-ada]
  backendRoles: [cv-staff]
`,
    path: "88-role-mappings/cv-reader-role-mapping.json",
    body: { backend_roles: ["cv-staff"], users: ["cv-ada"] },
  },
];

/** A manifest and the file that it becomes. */
export interface Sample {
  readonly yaml: string;
  readonly path: string;
  readonly body: unknown;
}

/** Documents of one file. */
export function stream(...documents: readonly string[]): string {
  return documents.map((document) => `---\n${document.trim()}\n`).join("");
}

/** A resource of the cluster `logs` with this below `spec`, indented by two. */
export function manifest(kind: string, spec: string, name = "a"): string {
  const lines = spec.split("\n").map((line) => line === "" ? "" : `  ${line}`).join("\n");
  return `apiVersion: opensearch.org/v1\nkind: ${kind}\nmetadata:\n  name: ${name}\nspec:\n` +
    `  opensearchCluster:\n    name: logs\n${lines}\n`;
}
