import type { Scenario } from "./scenario.ts";

const sorted = (text: string): string => {
  const sort = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map(sort);
    return Object.fromEntries(
      Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1).map(([k, v]) => [k, sort(v)]),
    );
  };
  return JSON.stringify(sort(JSON.parse(text)));
};
const without = (text: string, member: string): string => {
  const { [member]: _, ...rest } = JSON.parse(text);
  return sorted(JSON.stringify(rest));
};
/** A long text. */
const wordsOf = (id: string) =>
  Array.from({ length: 12_000 }, (_, n) => `${id.length * n * 7919 % 99_991}`).join(" ");
/** Spread over three shards: `a` and `b` are on different ones. */
const ROUTINGS = ["a", "b", "c", "d", "e"];
const routing = (id: string) => ROUTINGS[[...id].reduce((sum, c) => sum + c.charCodeAt(0), 0) % 5]!;
const shards = (first: number, second: number) => ({
  1: { number_of_shards: first },
  2: { number_of_shards: second },
  3: { number_of_shards: second },
});
const routed = { style: { routing }, mappings: { _routing: { required: true } } };

/** The scenarios that prove live reindex. */
export const SCENARIOS: readonly Scenario[] = [
  { name: "alias to alias", from: "alias", documents: 300, settings: shards(2, 3) },
  { name: "index to alias", from: "concrete", documents: 300 },
  {
    name: "in place",
    from: "alias",
    documents: 100,
    isInPlace: true,
    changed: { 2: { added: { type: "keyword" } }, 3: { other: { type: "long" } } },
  },
  {
    name: "in place, an index",
    from: "concrete",
    documents: 100,
    isInPlace: true,
    changed: { 2: { added: { type: "keyword" } }, 3: { other: { type: "long" } } },
  },
  { name: "A to B to A", from: "alias", documents: 100, steps: [1, 2, 1] },
  { name: "no documents", from: "alias", documents: 0, writers: 0 },
  { name: "some thousand documents", from: "alias", documents: 5000, settings: shards(1, 3) },
  {
    // They are being written for a while, beside others that overtake them.
    name: "large documents",
    from: "alias",
    documents: 50,
    writers: 6,
    properties: { body: { type: "text" } },
    style: { members: ({ id }) => /[16]$/.test(id) ? `"body":"${wordsOf(id)}",` : "" },
  },
  {
    name: "replicas that no node takes",
    from: "alias",
    documents: 200,
    settings: {
      1: { number_of_replicas: 1 },
      2: { number_of_replicas: 1 },
      3: { number_of_replicas: 1 },
    },
  },
  {
    name: "a thousand documents a second",
    from: "alias",
    documents: 3000,
    reindex: { requestsPerSecond: 1000 },
  },
  { ...routed, name: "routing", from: "alias", documents: 300, settings: shards(3, 2) },
  {
    name: "ids under two routings",
    from: "alias",
    documents: 200,
    mappings: { _routing: { required: true } },
    style: { routing: () => "a", twin: () => "b" },
    settings: shards(3, 3),
  },
  {
    name: "ids under two routings that collide",
    from: "alias",
    documents: 200,
    mappings: { _routing: { required: true } },
    style: { routing: () => "a", twin: () => "b" },
    settings: shards(3, 1),
    refused: { versions: [2, 3], says: /routing/ },
  },
  {
    name: "parent and child",
    from: "alias",
    documents: 300,
    mappings: { _routing: { required: true } },
    properties: { relation: { type: "join", relations: { question: "answer" } } },
    style: {
      routing,
      members: ({ id, routing }) =>
        id.charCodeAt(id.length - 1) % 3 === 0
          ? '"relation":"question",'
          : `"relation":{"name":"answer","parent":"${routing}-parent"},`,
    },
    settings: shards(2, 3),
  },
  {
    name: "nested",
    from: "concrete",
    documents: 300,
    properties: { items: { type: "nested", properties: { sku: { type: "keyword" } } } },
    style: { members: ({ id }) => `"items":[{"sku":${JSON.stringify(id)}},{"sku":"second"}],` },
  },
  {
    name: "deleted and made again",
    from: "alias",
    documents: 100,
    style: { isMadeAgain: true },
    settings: { 1: { gc_deletes: "1s" }, 2: { gc_deletes: "30s" }, 3: { gc_deletes: "40s" } },
  },
  {
    name: "versions of the application",
    from: "alias",
    documents: 200,
    style: { isVersioned: true },
  },
  {
    name: "versions of the application, deleted and made again",
    from: "concrete",
    documents: 100,
    style: { isVersioned: true, isMadeAgain: true },
    settings: { 1: { gc_deletes: "1s" }, 2: { gc_deletes: "1s" }, 3: { gc_deletes: "1s" } },
  },
  {
    name: "a template with an alias and a pipeline",
    from: "alias",
    documents: 200,
    prepare: async (server, name) => {
      const source = "ctx.passes = ctx.passes == null ? 1 : ctx.passes + 1";
      await server.must("PUT", `/_ingest/pipeline/${name}-count`, {
        processors: [{ script: { source } }],
      });
      await server.must("PUT", `/_index_template/${name}`, {
        index_patterns: [`${name}*`],
        priority: 7,
        template: {
          settings: { default_pipeline: `${name}-count`, final_pipeline: `${name}-count` },
          aliases: { [`${name}-read`]: {} },
        },
      });
    },
    names: (name) => [`${name}-read`],
    writeNames: (name) => [`${name}-read`],
    expected: (name) => ({ default_pipeline: `${name}-count`, final_pipeline: `${name}-count` }),
    style: {
      isShort: true,
      members: () => '"passes":0,',
      stored: (text) => text.replace(/"passes":(\d+)/, (_, n) => `"passes":${Number(n) + 2}`),
    },
    normalise: sorted,
  },
  {
    name: "ten aliases",
    from: "alias",
    documents: 200,
    aliases: (name) => [
      { alias: `${name}-plain` },
      { alias: `${name}-stable`, filter: { term: { stable: true } } },
      { alias: `${name}-a`, routing: "a" },
      { alias: `${name}-ab`, search_routing: "a,b", index_routing: "a" },
      { alias: `${name}-write`, is_write_index: true },
      { alias: `${name}-hidden`, is_hidden: true },
      { alias: `${name}-red`, filter: { terms: { tag: ["red"] } }, is_hidden: true },
      { alias: `${name}-range`, filter: { range: { v: { gte: 3 } } }, routing: "b" },
      { alias: `${name}-x` },
      { alias: `${name}-y`, is_write_index: true, filter: { exists: { field: "n" } } },
    ],
    writeNames: (name) => [`${name}-plain`, `${name}-write`, `${name}-red`],
    names: (name) => [`${name}-plain`, `${name}-stable`, `${name}-hidden`, `${name}-y`],
  },
  {
    name: "a pipeline for the copy",
    from: "alias",
    documents: 200,
    prepare: async (server, name) => {
      await server.must("PUT", `/_ingest/pipeline/${name}-convert`, {
        processors: [{ set: { field: "copied", value: true } }],
      });
    },
    reindex: { pipeline: "{name}-convert" },
    style: { isShort: true },
    normalise: (text) => without(text, "copied"),
  },
  {
    name: "old indices are deleted",
    from: "concrete",
    documents: 100,
    reindex: { oldIndices: "delete" },
  },
  {
    name: "a mapping that refuses documents",
    from: "alias",
    documents: 100,
    changed: { 2: { tag: { type: "date" } } },
    refused: { versions: [2], says: /tag/ },
  },
  {
    name: "a mapping that refuses documents of an index",
    from: "concrete",
    documents: 100,
    changed: { 2: { tag: { type: "date" } } },
    refused: { versions: [2], says: /tag/ },
  },
  {
    name: "a mapping that refuses what comes late",
    from: "alias",
    documents: 2000,
    reindex: { requestsPerSecond: 1000 },
    changed: { 2: { tag: { type: "long" } } },
    style: { tags: ["1", "2", "3"], lateTags: ["word"] },
    refused: { versions: [2], says: /tag/ },
  },
  {
    name: "a pause that is too short",
    from: "alias",
    documents: 100,
    reindex: { writePauseMs: 1 },
    refused: { versions: [2, 3], says: /pause/ },
  },
  {
    name: "a pause that is too short for an index",
    from: "concrete",
    documents: 100,
    reindex: { writePauseMs: 1 },
    refused: { versions: [2, 3], says: /pause/ },
  },
];
