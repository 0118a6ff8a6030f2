import fc from "fast-check";
import { POLICY_ACTIONS } from "./policy_actions.ts";

/** Generates a body that clusters take, of a resource whose names begin with `name`. */
export type Bodies = (name: string) => fc.Arbitrary<Record<string, unknown>>;

const word = fc.stringMatching(/^[a-z]{1,8}$/);
const text = fc.oneof(
  word,
  fc.constantFrom("ä ö", 'q"uote', "a\\b", "x".repeat(40), "1.0", "true"),
);
const words = fc.uniqueArray(word, { minLength: 1, maxLength: 3 });
const seconds = fc.constantFrom("1s", "5s", "30s", "60s", "1m", -1, "-1");

/** Some of the members, each with a value; at least one where `least` names it. */
function some(
  members: Record<string, fc.Arbitrary<unknown>>,
  least: readonly string[] = [],
): fc.Arbitrary<Record<string, unknown>> {
  return fc.record(members, { requiredKeys: least as string[] }) as fc.Arbitrary<
    Record<string, unknown>
  >;
}

const settings = fc.oneof(
  some({
    number_of_shards: fc.constantFrom(1, "2", 3),
    number_of_replicas: fc.constantFrom(0, "1"),
    refresh_interval: seconds,
    "index.max_result_window": fc.constantFrom(10_000, "20000", null),
    "index.blocks.write": fc.constantFrom(false, "false"),
  }),
  some({
    index: some({
      number_of_shards: fc.constantFrom(1, "2"),
      refresh_interval: seconds,
      sort: fc.constant({ field: ["at"], order: ["desc"] }),
      similarity: fc.constant({ own: { type: "BM25", b: 0.5, k1: 1 } }),
      query: fc.constant({ default_field: ["a", "b"] }),
    }),
    analysis: fc.constant({
      analyzer: { own: { type: "custom", tokenizer: "standard", filter: ["lowercase"] } },
    }),
  }),
);

const leaf = fc.oneof(
  some({
    type: fc.constant("keyword"),
    ignore_above: fc.constantFrom(256, 1024),
    index: fc.boolean(),
    doc_values: fc.boolean(),
    copy_to: fc.constantFrom("all", ["all"]),
  }, ["type"]),
  some({
    type: fc.constant("text"),
    analyzer: fc.constant("standard"),
    norms: fc.boolean(),
    fields: fc.constant({ raw: { type: "keyword", ignore_above: 256 } }),
  }, ["type"]),
  some({ type: fc.constantFrom("long", "double"), coerce: fc.boolean() }, ["type"]),
  some({ type: fc.constant("date"), format: fc.constantFrom("epoch_millis", "yyyy-MM-dd") }, [
    "type",
  ]),
);
const mappings = some({
  dynamic: fc.constantFrom(true, false, "strict", "true"),
  _source: fc.constantFrom({ enabled: true }, { excludes: ["big"] }),
  _meta: fc.constant({ by: "x", n: 1, list: [1, "2", null] }),
  dynamic_templates: fc.constant([{
    texts: { match_mapping_type: "string", mapping: { type: "keyword" } },
  }]),
  properties: fc.dictionary(fc.constantFrom("a", "b", "c.d", "at2"), leaf, { maxKeys: 3 })
    .map((fields) => ({ ...fields, at: { type: "date" }, all: { type: "keyword" } })),
}, ["properties"]);
const aliases = (name: string) =>
  fc.dictionary(
    fc.constantFrom(`${name}-x`, `${name}-y`),
    some({
      filter: fc.constant({ term: { at: 1 } }),
      routing: fc.constant("1"),
      is_hidden: fc.boolean(),
    }),
    { maxKeys: 2 },
  );
const meta = { version: fc.nat(1000), _meta: fc.constant({ by: "x", ok: true }) };
const definition = (name: string) => some({ settings, mappings, aliases: aliases(name) });

let counter = 0;

/** By the ending of the kind's files. */
export const BODIES: Readonly<Record<string, Bodies>> = {
  component: (name) => some({ template: definition(name), ...meta }, ["template"]),
  template: (name) =>
    some({ template: definition(name), ...meta, data_stream: fc.constantFrom({}, undefined) }, [
      "template",
    ]).map((body) => ({
      // Two of one priority must not overlap.
      index_patterns: [`${name}-${++counter}-*`],
      priority: counter,
      ...body,
    })),
  pipeline: () =>
    some({
      description: text,
      version: fc.nat(1000),
      processors: fc.array(
        fc.oneof(
          fc.record({
            set: fc.record({
              field: word,
              value: fc.oneof(text, fc.nat(), fc.double({ noNaN: true, noDefaultInfinity: true })),
            }),
          }),
          fc.record({ lowercase: some({ field: word, ignore_missing: fc.boolean() }, ["field"]) }),
          fc.record({
            script: fc.record({
              source: fc.constant("ctx.n = params.n"),
              params: fc.record({ n: fc.nat() }),
            }),
          }),
        ),
        { maxLength: 3 },
      ),
      on_failure: fc.constant([{ set: { field: "e", value: "{{_ingest.on_failure_message}}" } }]),
    }, ["processors"]),
  script: () =>
    fc.record({
      script: some({
        lang: fc.constant("painless"),
        source: fc.constantFrom('doc["a"].value * params.f', "1\n+ 2", "'ä'"),
        options: fc.constant({}),
      }, ["lang", "source"]),
    }),
  "search-pipeline": () =>
    some({
      description: text,
      version: fc.nat(1000),
      request_processors: fc.array(
        fc.record({
          filter_query: some({ tag: text, query: fc.constant({ term: { a: "x" } }) }, ["query"]),
        }),
        { maxLength: 2 },
      ),
      response_processors: fc.array(
        fc.record({
          rename_field: fc.record({ field: word, target_field: word }),
        }),
        { maxLength: 2 },
      ),
    }, ["request_processors"]),
  policy: (name) =>
    fc.record({
      policy: some({
        description: text,
        default_state: fc.constant("2B"),
        states: fc.record({
          transitions: fc.constantFrom([], [{
            state_name: "gone",
            conditions: { min_index_age: "24H" },
          }]),
          actions: fc.array(
            fc.oneof(
              fc.record({
                rollover: some({
                  min_size: fc.constantFrom("50GB", "1gb"),
                  copy_alias: fc.boolean(),
                }, ["min_size"]),
              }),
              fc.record({
                replica_count: fc.record({ number_of_replicas: fc.nat(3) }),
                timeout: fc.constant("1H"),
              }),
              fc.constantFrom(...POLICY_ACTIONS.map(({ sent }) => sent)),
              fc.record({
                read_only: fc.constant({}),
                retry: some({
                  count: fc.nat(5),
                  backoff: fc.constantFrom("Linear", "exponential"),
                  delay: fc.constant("5M"),
                }, ["count"]),
              }),
            ),
            { maxLength: 3 },
          ),
        }).map((
          hot,
        ) => [{
          name: "2B",
          ...hot,
          // A state that deletes the index is the last one.
          transitions: hot.actions.some((action) => "delete" in action) ? [] : hot.transitions,
        }, {
          name: "gone",
          actions: [{ delete: {} }],
          transitions: [],
        }]),
        ism_template: fc.constantFrom(undefined, null, {}).map((kind) =>
          kind === undefined
            ? kind
            : kind && [{ index_patterns: [`${name}-p${++counter}-*`], priority: counter }]
        ),
      }, ["description", "default_state", "states"]),
    }),
  snapshots: () =>
    some({
      description: text,
      enabled: fc.boolean(),
      creation: some({
        schedule: fc.constant({ cron: { expression: "0 8 * * *", timezone: "UTC" } }),
        time_limit: fc.constantFrom("1h", "60m"),
      }, ["schedule"]),
      deletion: some({
        schedule: fc.constant({ cron: { timezone: "UTC", expression: "0 8 * * *" } }),
        condition: some({
          max_count: fc.integer({ min: 3, max: 9 }),
          min_count: fc.constantFrom(1, 2),
        }, ["max_count"]),
      }, ["condition"]),
      snapshot_config: some({
        repository: word,
        indices: fc.constantFrom("*", ["a", "b"]),
        partial: fc.constantFrom(true, "true"),
      }, ["repository"]),
      notification: some({
        channel: fc.constant({ id: "c1" }),
      }, ["channel"]),
    }, ["creation", "snapshot_config"]),
  "data-stream": () => fc.constant({}),
  role: () =>
    some({
      description: text,
      cluster_permissions: fc.array(fc.constantFrom("cluster_monitor", "a", "b"), { maxLength: 3 }),
      index_permissions: fc.array(
        some({
          index_patterns: words,
          allowed_actions: words,
          dls: fc.constantFrom("", '{"term":{"a":"x"}}'),
          fls: fc.constantFrom([], ["~secret"]),
          masked_fields: fc.constantFrom([], ["mail"]),
        }, ["index_patterns", "allowed_actions"]),
        { maxLength: 2 },
      ),
      tenant_permissions: fc.array(
        fc.record({
          tenant_patterns: words,
          allowed_actions: fc.constantFrom(["kibana_all_read"], ["kibana_all_write"]),
        }),
        { maxLength: 1 },
      ),
    }, ["cluster_permissions"]),
  "action-group": () =>
    some({
      allowed_actions: fc.uniqueArray(
        fc.constantFrom("read", "indices:data/read/search*", "write"),
      ),
      type: fc.constantFrom("index", "cluster"),
      description: text,
    }, ["allowed_actions"]),
  tenant: () => fc.record({ description: fc.oneof(text, fc.constant("")) }),
  user: () =>
    some({
      password: fc.constant("Long-Passw0rd-9173!"),
      backend_roles: fc.uniqueArray(word, { maxLength: 2 }),
      attributes: fc.dictionary(word, fc.oneof(text, fc.nat(9)), { maxKeys: 2 }),
      description: text,
      opendistro_security_roles: fc.constantFrom([], ["readall"]),
    }, ["password"]),
  "role-mapping": () =>
    some({
      users: fc.uniqueArray(word, { maxLength: 2 }),
      backend_roles: fc.uniqueArray(word, { maxLength: 2 }),
      and_backend_roles: fc.uniqueArray(word, { maxLength: 2 }),
      hosts: fc.constantFrom([], ["*.example.org"]),
      description: text,
    }, ["users"]),
};
