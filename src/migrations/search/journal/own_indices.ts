import type { Json } from "../json/json_values.ts";

/** The index of the records (reference 2.7). */
export const RECORDS = "framework_migrations";
export const LOCKS = "framework_migrations_lock";

/** These settings take precedence over the templates of the cluster, which reach every index. */
const settings = {
  number_of_shards: 1,
  // Replicated as soon as there is a second node.
  auto_expand_replicas: "0-1",
  "index.default_pipeline": "_none",
  "index.final_pipeline": "_none",
  "index.blocks.write": false,
  "index.blocks.read_only": false,
  "index.write.wait_for_active_shards": "1",
  "index.max_result_window": 10_000,
  "index.mapping.total_fields.limit": 1000,
  "index.sort.field": [],
  "index.sort.order": [],
  // Only newer servers of OpenSearch know these.
  "index.search.default_pipeline": "_none",
  "index.append_only.enabled": false,
};
const metadata = {
  dynamic: false,
  _source: { enabled: true, includes: [], excludes: [] },
  _routing: { required: false },
};
const TYPES = {
  keyword: { type: "keyword", ignore_above: 8191 },
  date: { type: "date" },
  long: { type: "long" },
};

const FIELDS: readonly (readonly [index: string, type: string, ...names: string[]])[] = [
  [RECORDS, "keyword", "migration_path", "connection", "content_hash", "values_hash"],
  [RECORDS, "keyword", "secrets_check", "executed_by", "kind", "resource", "left_behind"],
  [RECORDS, "date", "executed_at"],
  [RECORDS, "long", "duration_ms", "seq_no", "primary_term"],
  [LOCKS, "keyword", "connection", "state", "owner", "run_id"],
  [LOCKS, "date", "lease_expires_at"],
];

export function indexBody(index: string): unknown {
  const note = index === RECORDS && { note: { type: "keyword", index: false, doc_values: false } };
  return {
    settings,
    mappings: { ...metadata, properties: { ...fieldsOf(index, TYPES), ...note } },
  };
}

/** A document with every field, which belongs to no connection. */
export function sampleOf(index: string): Json {
  const sample = { keyword: "probe", date: "2026-01-01T00:00:00.000Z", long: 1 };
  const more = index === RECORDS ? { note: "probe" } : { pending: [{ id: "probe", hash: "0" }] };
  return { ...fieldsOf(index, sample), ...more, connection: "" };
}

function fieldsOf(index: string, values: Readonly<Record<string, unknown>>): Json {
  return Object.fromEntries(
    FIELDS.filter(([of]) => of === index).flatMap(([, type, ...names]) =>
      names.map((name) => [name, values[type]])
    ),
  );
}
