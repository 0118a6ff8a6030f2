/** An action as a file says it, and as the plugin writes it. */
export interface PolicyAction {
  readonly name: string;
  readonly sent: Record<string, unknown>;
  readonly live: Record<string, unknown>;
}

const source = "{{ctx.index}}";
const mustache = { source, lang: "mustache" };
const dimension = { source_field: "at", target_field: "at" };

function same(name: string, settings: Record<string, unknown>, label = name): PolicyAction {
  return { name: label, sent: { [name]: settings }, live: { [name]: settings } };
}

const metrics = [{ source_field: "n", metrics: [{ avg: {} }, { max: {} }] }];
const histogram = { date_histogram: { source_field: "at", fixed_interval: "1h" } };
const rollup = { description: "d", target_index: "r", page_size: 200, metrics };
const transform = {
  description: "d",
  target_index: "t",
  page_size: 100,
  groups: [{ terms: { source_field: "at", target_field: "at2" } }],
  aggregations: { total: { sum: { field: "n" } } },
};
const all = { match_all: { boost: 1 } };

function transformed(name: string, query: unknown, live: unknown): PolicyAction {
  return {
    name: `transform of ${name}`,
    sent: {
      transform: {
        ism_transform: {
          ...transform,
          ...(query !== undefined && { data_selection_query: query }),
        },
      },
    },
    live: { transform: { ism_transform: { ...transform, data_selection_query: live } } },
  };
}

/**
 * Actions that OpenSearch 2.19.4 and 3.4.0 accept. `live` is what was seen on 2.19.4 for the actions that DEFECTS F1 named,
 * and what `populateAction` of the plugin's source writes (tags 2.19.4.0 and 3.4.0.0) for the others.
 */
export const POLICY_ACTIONS: readonly PolicyAction[] = [
  ...["close", "delete", "open", "read_only", "read_write"].map((name) => same(name, {})),
  same("force_merge", { max_num_segments: 1 }),
  same("index_priority", { priority: 50 }),
  same("replica_count", { number_of_replicas: 2 }),
  same("snapshot", { repository: "r", snapshot: "s" }),
  {
    name: "allocation",
    sent: { allocation: { require: { box: "warm" }, wait_for: true } },
    live: {
      allocation: { require: { box: "warm" }, include: {}, exclude: {}, wait_for: true },
    },
  },
  {
    name: "allocation that does not wait",
    sent: { allocation: { exclude: { box: "hot" } } },
    live: {
      allocation: { require: {}, include: {}, exclude: { box: "hot" }, wait_for: false },
    },
  },
  {
    name: "notification to a channel",
    sent: { notification: { channel: { id: "c" }, message_template: { source } } },
    live: { notification: { channel: { id: "c" }, message_template: mustache } },
  },
  {
    name: "notification whose template is a text",
    sent: { notification: { channel: { id: "c" }, message_template: source } },
    live: { notification: { channel: { id: "c" }, message_template: mustache } },
  },
  {
    name: "notification to Slack",
    sent: {
      notification: { destination: { slack: { url: "http://h/x" } }, message_template: { source } },
    },
    live: {
      notification: { destination: { slack: { url: "http://h/x" } }, message_template: mustache },
    },
  },
  {
    name: "notification to a webhook",
    sent: {
      notification: {
        destination: { custom_webhook: { url: "http://h/x" } },
        message_template: { source },
      },
    },
    live: {
      notification: {
        destination: {
          custom_webhook: {
            url: "http://h/x",
            scheme: null,
            host: null,
            port: -1,
            path: null,
            query_params: {},
            header_params: {},
            username: null,
            password: null,
          },
        },
        message_template: mustache,
      },
    },
  },
  {
    name: "rollover",
    sent: { rollover: { min_size: "50GB", min_index_age: "1d", min_primary_shard_size: "10g" } },
    live: {
      rollover: {
        min_size: "50gb",
        min_index_age: "1d",
        min_primary_shard_size: "10gb",
        copy_alias: false,
      },
    },
  },
  same("rollover", { min_doc_count: 5, copy_alias: true }, "rollover that copies aliases"),
  {
    name: "shrink",
    sent: { shrink: { num_new_shards: 1 } },
    live: { shrink: { num_new_shards: 1, switch_aliases: false } },
  },
  {
    name: "shrink with a name and aliases",
    sent: {
      shrink: {
        max_shard_size: "5GB",
        target_index_name_template: { source },
        aliases: [{ a: {} }, {
          b: { is_write_index: true, index_routing: "1", search_routing: "1" },
        }],
        force_unsafe: true,
      },
    },
    live: {
      shrink: {
        max_shard_size: "5gb",
        target_index_name_template: mustache,
        aliases: [{ a: { is_write_index: null } }, { b: { is_write_index: true, routing: "1" } }],
        switch_aliases: false,
        force_unsafe: true,
      },
    },
  },
  {
    name: "alias",
    sent: {
      alias: {
        actions: [{ add: { alias: "a" } }, { remove: { aliases: ["b", "c"], must_exist: true } }],
      },
    },
    live: {
      alias: {
        actions: [
          { add: { aliases: ["a"] } },
          { remove: { aliases: ["b", "c"], must_exist: true } },
        ],
      },
    },
  },
  {
    name: "rollup",
    sent: { rollup: { ism_rollup: { ...rollup, dimensions: [histogram] } } },
    live: {
      rollup: {
        ism_rollup: {
          ...rollup,
          dimensions: [{
            date_histogram: { ...dimension, fixed_interval: "1h", timezone: "UTC", format: null },
          }],
        },
      },
    },
  },
  {
    name: "rollup by terms, with names of its own",
    sent: {
      rollup: {
        ism_rollup: {
          ...rollup,
          metrics: [{ ...metrics[0], target_field: "other" }],
          dimensions: [
            { date_histogram: { ...histogram.date_histogram, timezone: "Europe/Zurich" } },
            { terms: { source_field: "a", target_field: "b" } },
            { histogram: { source_field: "n", interval: 5 } },
          ],
        },
      },
    },
    live: {
      rollup: {
        ism_rollup: {
          ...rollup,
          dimensions: [
            {
              date_histogram: {
                ...dimension,
                fixed_interval: "1h",
                timezone: "Europe/Zurich",
                format: null,
              },
            },
            { terms: { source_field: "a", target_field: "b" } },
            { histogram: { source_field: "n", target_field: "n", interval: 5.0 } },
          ],
        },
      },
    },
  },
  transformed("everything", undefined, all),
  transformed("match_all", { match_all: {} }, all),
  transformed("term", { term: { a: "x" } }, { term: { a: { value: "x", boost: 1 } } }),
  transformed("a weighted term", { term: { a: { value: "x", boost: 2 } } }, {
    term: { a: { value: "x", boost: 2 } },
  }),
  transformed("a range", { range: { at: { gte: "now-1d" } } }, {
    range: {
      at: { from: "now-1d", to: null, include_lower: true, include_upper: true, boost: 1 },
    },
  }),
  transformed("a bool", {
    bool: { filter: { term: { a: 1 } }, must: [{ range: { n: { gt: 1, lt: 9 } } }] },
  }, {
    bool: {
      filter: [{ term: { a: { value: 1, boost: 1 } } }],
      must: [{
        range: { n: { from: 1, to: 9, include_lower: false, include_upper: false, boost: 1 } },
      }],
      adjust_pure_negative: true,
      boost: 1,
    },
  }),
  transformed("fields that exist", { exists: { field: "a" } }, {
    exists: { field: "a", boost: 1 },
  }),
];

/** A policy of one such action. */
export function policyWith(action: Record<string, unknown>): Record<string, unknown> {
  return {
    description: "d",
    default_state: "hot",
    states: [{ name: "hot", actions: [action], transitions: [] }],
  };
}
