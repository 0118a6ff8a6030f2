import type { Body } from "./support.ts";

/** A component template, and the index template that composes it. */
export interface Given {
  readonly component?: Body;
  /** Members of the index template beside its patterns. */
  readonly template?: Body;
  /** Another index template with the same patterns. */
  readonly other?: Body;
}

/** A change of templates. */
export interface Change {
  readonly name: string;
  readonly from: Given;
  readonly to: Given;
  /** Whether a new index differs from the write index. */
  readonly isRolled: boolean;
}

const fields = (properties: Body) => ({ mappings: { properties } });
const A = { a: { type: "keyword" } };
const inComponent = (template: Body): Given => ({ component: { template } });
const inTemplate = (template: Body): Given => ({ template: { template } });

/** A change of the template's own content, or of its component's. */
function change(name: string, from: Body, to: Body, isRolled = true, given = inTemplate): Change {
  return { name, from: given(from), to: given(to), isRolled };
}

const analyzed = (filter: string, properties: Body = {}) => ({
  settings: { analysis: { analyzer: { own: { tokenizer: "standard", filter: [filter] } } } },
  mappings: { properties },
});
const dynamic = (type: string) => ({
  mappings: {
    dynamic_templates: [{ texts: { match_mapping_type: "string", mapping: { type } } }],
  },
});
const OTHERS = [{ numbers: { match_mapping_type: "long", mapping: { type: "integer" } } }];

export const CHANGES: readonly Change[] = [
  change("a field is added", fields(A), fields({ ...A, c: { type: "ip" } })),
  change("a field is added to the component", {}, fields(A), true, inComponent),
  change("the type of a field changes", fields(A), fields({ a: { type: "text" } })),
  change(
    "the type of a field of the component changes",
    fields({ a: { type: "keyword", ignore_above: 9 } }),
    fields({ a: { type: "text", analyzer: "simple" } }),
    true,
    inComponent,
  ),
  change("a field is removed", fields({ ...A, c: { type: "ip" } }), fields(A)),
  change("a field is removed from the component", fields(A), {}, true, inComponent),
  change("a parameter is added", fields(A), fields({ a: { type: "keyword", ignore_above: 9 } })),
  change("a parameter is removed", fields({ a: { type: "keyword", ignore_above: 9 } }), fields(A)),
  change(
    "a multi-field is added",
    fields(A),
    fields({ a: { type: "keyword", fields: { words: { type: "text" } } } }),
  ),
  change(
    "a multi-field is removed",
    fields({ a: { type: "keyword", fields: { words: { type: "text" } } } }),
    fields(A),
  ),
  change(
    "an object gets a field",
    fields({ o: { properties: { x: { type: "long" } } } }),
    fields({ o: { properties: { x: { type: "long" }, y: { type: "long" } } } }),
  ),
  change(
    "an object becomes nested",
    fields({ o: { properties: { x: { type: "long" } } } }),
    fields({ o: { type: "nested", properties: { x: { type: "long" } } } }),
  ),
  change("copy_to is added", fields(A), fields({ a: { type: "keyword", copy_to: "all" } })),
  change(
    "a date gets a format",
    fields({ d: { type: "date" } }),
    fields({ d: { type: "date", format: "epoch_second" } }),
  ),
  change("dynamic becomes strict", fields(A), { mappings: { dynamic: "strict", properties: A } }),
  change("dynamic is strict no more", { mappings: { dynamic: "strict" } }, { mappings: {} }),
  change("dynamic templates are added", {}, dynamic("keyword")),
  change("a dynamic template changes", dynamic("keyword"), dynamic("text")),
  change("dynamic templates are removed", dynamic("keyword"), {}),
  {
    name: "the component gets dynamic templates beside those of the template",
    from: { ...inTemplate({ mappings: { dynamic_templates: OTHERS } }), component: {} },
    to: {
      ...inTemplate({ mappings: { dynamic_templates: OTHERS } }),
      ...inComponent(dynamic("ip")),
    },
    isRolled: true,
  },
  change("_source leaves a field out", {}, { mappings: { _source: { excludes: ["secret"] } } }),
  change(
    "_meta of the mapping changes",
    { mappings: { _meta: { v: 1 } } },
    { mappings: { _meta: { v: 2 } } },
  ),
  change(
    "a setting changes",
    { settings: { refresh_interval: "5s" } },
    { settings: { refresh_interval: "9s" } },
  ),
  change("a setting is removed", { settings: { refresh_interval: "5s" } }, {}),
  change(
    "a setting of the component changes",
    { settings: { "index.max_result_window": 500 } },
    { settings: { "index.max_result_window": 501 } },
    true,
    inComponent,
  ),
  change(
    "an analyzer is added",
    {},
    analyzed("lowercase", { t: { type: "text", analyzer: "own" } }),
  ),
  change("an analyzer changes", analyzed("lowercase"), analyzed("stop")),
  change("shards change", { settings: { number_of_shards: 1 } }, {
    settings: { number_of_shards: 2 },
  }),
  {
    name: "a component changes that the template overrides in another field",
    from: {
      ...inTemplate(fields({ o: { properties: { x: { type: "long" } } } })),
      ...inComponent({}),
    },
    to: {
      ...inTemplate(fields({ o: { properties: { x: { type: "long" } } } })),
      ...inComponent(fields({ "o.y": { type: "ip" } })),
    },
    isRolled: true,
  },
  {
    name: "both change at once",
    from: { ...inTemplate(fields({ b: { type: "long" } })), ...inComponent(fields(A)) },
    to: {
      ...inTemplate(fields({ b: { type: "ip" } })),
      ...inComponent(fields({ a: { type: "text" } })),
    },
    isRolled: true,
  },
  {
    name: "another template takes over",
    from: inTemplate(fields(A)),
    to: {
      ...inTemplate(fields(A)),
      other: { priority: 950, template: fields({ z: { type: "ip" } }) },
    },
    isRolled: true,
  },
  change("values are written in another form", {
    settings: { refresh_interval: "60s", number_of_replicas: "0" },
    mappings: { properties: { "o.x": { type: "long" } } },
  }, {
    settings: { index: { refresh_interval: "1m", number_of_replicas: 0 } },
    mappings: { properties: { o: { properties: { x: { type: "long", index: true } } } } },
  }, false),
  {
    name: "the content moves from the component to the template",
    from: { ...inComponent(fields(A)), ...inTemplate({}) },
    to: { ...inComponent({}), ...inTemplate(fields(A)) },
    isRolled: false,
  },
  {
    name: "the component changes what the template overrides",
    from: { ...inTemplate(fields(A)), ...inComponent(fields({ a: { type: "text" } })) },
    to: { ...inTemplate(fields(A)), ...inComponent(fields({ a: { type: "long" } })) },
    isRolled: false,
  },
  {
    name: "the priority changes",
    from: { template: { priority: 900 } },
    to: { template: { priority: 901 } },
    isRolled: false,
  },
  {
    name: "the version and _meta of the template change",
    from: { template: { version: 1 } },
    to: { template: { version: 2, _meta: { owner: "us" } } },
    isRolled: false,
  },
  change("an alias for new indices is added", {}, { aliases: { "@-all": {} } }, false),
];
