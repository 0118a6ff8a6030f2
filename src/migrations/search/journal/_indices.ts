/** Index of the records (reference 2.7). */
export const RECORDS = "framework_migrations";
/** Index of the locks, one document for each connection. */
export const LOCKS = "framework_migrations_lock";

// One shard; a copy as soon as there is a second node.
const settings = { number_of_shards: 1, auto_expand_replicas: "0-1" };
const keyword = { type: "keyword", ignore_above: 8191 };
const date = { type: "date" };
const long = { type: "long" };

/** What the indices of the runner are created with, by name. */
export const INDEX_BODIES: Readonly<Record<string, unknown>> = {
  [RECORDS]: {
    settings,
    mappings: {
      dynamic: false,
      properties: {
        migration_path: keyword,
        connection: keyword,
        content_hash: keyword,
        values_hash: keyword,
        executed_at: date,
        executed_by: keyword,
        duration_ms: long,
        kind: keyword,
        resource: keyword,
        note: { type: "keyword", index: false, doc_values: false },
        seq_no: long,
        primary_term: long,
      },
    },
  },
  [LOCKS]: {
    settings,
    mappings: {
      dynamic: false,
      properties: { connection: keyword, state: keyword, owner: keyword, lease_expires_at: date },
    },
  },
};
