import type { RealCluster } from "../../servers/real.ts";
import { ask } from "../../servers/real.ts";

/** A cluster whose templates, pipelines and settings reach the indices of the runner. */
export interface Hostile {
  /** Shown in the guide. */
  readonly name: string;
  /** Whether the indices of records were there before, without the settings that the runner gives them. */
  readonly isOld?: boolean;
  readonly template?: Body;
  readonly legacy?: Body;
  readonly processors?: readonly Body[];
  /** Whether Elasticsearch does not know its settings. */
  readonly isOpenSearch?: true;
  /** Requests after the indices are made; `own` is the name of the index of records on the cluster. */
  readonly after?: (own: string) => readonly (readonly [string, string, Body?])[];
  readonly outcome: Outcome;
  /** Where Elasticsearch merges what a template has with what the runner sets. */
  readonly elasticsearch?: Outcome;
}

export type Outcome = "works" | RegExp;

type Body = Readonly<Record<string, unknown>>;

const settings = (values: Body) => ({ template: { settings: values } });
const mappings = (values: Body) => ({ template: { mappings: values } });
const DEFAULT = settings({ "index.default_pipeline": "PIPELINE" });
const FINAL = settings({ "index.final_pipeline": "PIPELINE" });
const DROP = [{ drop: {} }];
const MOVE = [{ set: { field: "_index", value: "PIPELINE-elsewhere" } }];
const SPOILED = /does not keep records as they are written/;

const TEMPLATES: readonly Hostile[] = [
  {
    name: "a default pipeline that drops documents",
    template: DEFAULT,
    processors: DROP,
    outcome: "works",
  },
  {
    name: "a final pipeline that drops documents",
    template: FINAL,
    processors: DROP,
    outcome: "works",
  },
  {
    name: "a default pipeline that moves documents",
    template: DEFAULT,
    processors: MOVE,
    outcome: "works",
  },
  { name: "a default pipeline that does not exist", template: DEFAULT, outcome: "works" },
  {
    name: "`_source` disabled",
    template: mappings({ _source: { enabled: false } }),
    outcome: "works",
  },
  {
    name: "`_source` without some fields",
    template: mappings({ _source: { excludes: ["content_hash", "state"] } }),
    outcome: "works",
    elasticsearch: SPOILED,
  },
  {
    name: "`_source` with other fields only",
    template: mappings({ _source: { includes: ["x"] } }),
    outcome: "works",
    elasticsearch: SPOILED,
  },
  {
    name: "required routing",
    template: mappings({ _routing: { required: true } }),
    outcome: "works",
    elasticsearch: /contradicting `_routing.required`/,
  },
  { name: "`dynamic: strict`", template: mappings({ dynamic: "strict" }), outcome: "works" },
  {
    name: "dynamic templates that map everything",
    template: mappings({
      dynamic: true,
      dynamic_templates: [{ all: { match: "*", mapping: { type: "long" } } }],
    }),
    outcome: "works",
  },
  {
    name: "other types for the fields of records",
    template: mappings({ properties: { state: { type: "long" }, content_hash: { type: "date" } } }),
    outcome: "works",
  },
  { name: "a write block", template: settings({ "index.blocks.write": true }), outcome: "works" },
  {
    name: "a read-only block",
    template: settings({ "index.blocks.read_only": true }),
    outcome: "works",
  },
  {
    name: "writes that wait for a second copy",
    template: settings({ "index.write.wait_for_active_shards": "2", number_of_replicas: 1 }),
    outcome: "works",
  },
  {
    name: "a sorted index",
    template: {
      template: {
        settings: { "index.sort.field": ["at"], "index.sort.order": ["desc"] },
        mappings: { properties: { at: { type: "date" } } },
      },
    },
    outcome: "works",
  },
  {
    name: "a limit of fields",
    template: settings({ "index.mapping.total_fields.limit": 3 }),
    outcome: "works",
  },
  {
    name: "a search pipeline that does not exist",
    template: settings({ "index.search.default_pipeline": "PIPELINE" }),
    isOpenSearch: true,
    outcome: "works",
  },
  {
    name: "a small result window",
    template: settings({ "index.max_result_window": 1 }),
    outcome: "works",
  },
  {
    name: "documents that can only be added",
    template: settings({ "index.append_only.enabled": true }),
    isOpenSearch: true,
    outcome: "works",
  },
  {
    name: "an alias with a filter",
    template: { template: { aliases: { "PIPELINE-all": { filter: { term: { x: 1 } } } } } },
    outcome: "works",
  },
  {
    name: "a legacy template with a pipeline and `_source` disabled",
    legacy: {
      settings: { "index.default_pipeline": "PIPELINE" },
      mappings: { _source: { enabled: false } },
    },
    processors: DROP,
    outcome: "works",
  },
  {
    name: "a template that makes data streams",
    template: { data_stream: {} },
    outcome: /Cannot create the index .*data.stream/,
  },
];

const OLD: readonly Hostile[] = ([
  {
    name: "a default pipeline that drops documents",
    template: DEFAULT,
    processors: DROP,
    outcome: SPOILED,
  },
  {
    name: "a final pipeline that drops documents",
    template: FINAL,
    processors: DROP,
    outcome: SPOILED,
  },
  {
    name: "a default pipeline that moves documents",
    template: DEFAULT,
    processors: MOVE,
    outcome: SPOILED,
  },
  {
    name: "a pipeline that removes fields",
    template: FINAL,
    processors: [{ remove: { field: ["content_hash", "run_id"], ignore_missing: true } }],
    outcome: SPOILED,
  },
  {
    name: "a pipeline that changes `_id`",
    template: DEFAULT,
    processors: [{ set: { field: "_id", value: "x" } }],
    outcome: SPOILED,
  },
  {
    name: "a pipeline that fails",
    template: DEFAULT,
    processors: [{ fail: { message: "no" } }],
    outcome: /Cannot write a record .*no/,
  },
  {
    name: "a pipeline that adds fields",
    template: FINAL,
    processors: [{ set: { field: "ingested", value: "now" } }],
    outcome: "works",
  },
  {
    name: "a pipeline that does not exist",
    template: DEFAULT,
    outcome: /Cannot write a record .*does not exist/,
  },
  {
    name: "`_source` disabled",
    template: mappings({ _source: { enabled: false } }),
    outcome: SPOILED,
  },
  {
    name: "`_source` without some fields",
    template: mappings({ _source: { excludes: ["content_hash"] } }),
    outcome: SPOILED,
  },
  {
    name: "required routing",
    template: mappings({ _routing: { required: true } }),
    outcome: /routing/,
  },
  { name: "`dynamic: strict`", template: mappings({ dynamic: "strict" }), outcome: /strict/ },
  {
    name: "other types for the fields of records",
    template: mappings({ properties: { state: { type: "long" }, content_hash: { type: "date" } } }),
    outcome: /Cannot write a record/,
  },
  {
    name: "a write block",
    after: (own) => [["PUT", `/${own}/_settings`, { "index.blocks.write": true }]],
    outcome: /Cannot write a record .*block/,
  },
  {
    name: "a read-only block for want of disk space",
    after: (own) => [["PUT", `/${own}/_settings`, { "index.blocks.read_only_allow_delete": true }]],
    outcome: /Cannot write a record .*block/,
  },
  { name: "a closed index", after: (own) => [["POST", `/${own}/_close`]], outcome: /closed/ },
  {
    name: "an alias of an index with another name",
    after: (own) => [
      ["DELETE", `/${own}`],
      ["PUT", `/${own}-of-others`, { aliases: { [own]: {} } }],
    ],
    outcome: "works",
  },
] satisfies Hostile[]).map((one) => ({ ...one, isOld: true }));

export const HOSTILE: readonly Hostile[] = [...TEMPLATES, ...OLD];

/** Makes the cluster hostile to the indices `own` and `own_lock`; nothing else is reached. */
export async function makeHostile(
  cluster: RealCluster,
  own: string,
  hostile: Hostile,
): Promise<void> {
  const { isOld = false, template, legacy, processors, after } = hostile;
  const put = async (method: string, path: string, body?: unknown) => {
    const { status, json } = await ask(cluster, method, path, body && filled(body, own));
    if (status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(json)}`);
  };
  if (processors) {
    const body = filled({ processors }, own);
    const { status } = await ask(cluster, "PUT", `/_ingest/pipeline/${own}`, body);
    if (status >= 300) throw new Error(`The pipeline is refused: ${JSON.stringify(body)}`);
  }
  if (template) {
    await put("PUT", `/_index_template/${own}`, {
      index_patterns: [`${own}*`],
      priority: 900,
      ...template,
    });
  }
  if (legacy) await put("PUT", `/_template/${own}`, { index_patterns: [`${own}*`], ...legacy });
  if (isOld) {
    for (const name of [own, `${own}_lock`]) {
      await put("PUT", `/${name}`, { settings: { number_of_shards: 1 } });
    }
  }
  for (const [method, path, body] of after?.(own) ?? []) await put(method, path, body);
}

function filled(body: unknown, own: string): unknown {
  return JSON.parse(JSON.stringify(body).replaceAll("PIPELINE", own));
}

export async function removeHostile(cluster: RealCluster, own: string): Promise<void> {
  for (const path of [`/_index_template/${own}`, `/_template/${own}`]) {
    await ask(cluster, "DELETE", path);
  }
  for (
    const name of [`${own}`, `${own}_lock`, `${own}-of-others`, `${own}-elsewhere`, `${own}-docs`]
  ) {
    await ask(cluster, "DELETE", `/${name}`);
  }
  await ask(cluster, "DELETE", `/_ingest/pipeline/${own}`);
}
