import { type ErrorBody, illegal, Refused } from "./answers.ts";
import type { Settings } from "./settings.ts";
import type { Dialect } from "./dialect.ts";

/** The settings of an index that OpenSearch 2.19.4 knows, as `GET /{index}/_settings?include_defaults` names them. */
const INDEX_SETTINGS =
  `auto_expand_replicas codec creation_date data_path default_pipeline final_pipeline format gc_deletes hidden
  load_fixed_bitset_filters_eagerly max_adjacency_matrix_filters max_docvalue_fields_search max_inner_result_window
  max_ngram_diff max_refresh_listeners max_regex_length max_rescore_window max_result_window max_script_fields
  max_shingle_diff max_slices_per_pit max_slices_per_scroll max_terms_count merge_on_flush number_of_replicas
  number_of_routing_shards number_of_shards optimize_auto_generated_id priority provided_name refresh_interval
  routing_partition_size use_compound_file uuid verified_before_close`.split(/\s+/);

/** Those with more names below them. */
const GROUPS =
  `allocation analysis analyze append_only blocks check_pending_flush codec fielddata highlight indexing knn lifecycle
  mapper mapping merge merge_on_flush optimize_doc_id_lookup queries query query_string recovery
  remote_store replication requests resize routing search search_backpressure searchable_snapshot shard similarity
  soft_deletes sort store translog unassigned unreferenced_file_cleanup version warmer write`
    .split(/\s+/);

const INTEGERS: Record<string, number> = {
  "index.max_inner_result_window": 1,
  "index.max_result_window": 1,
  "index.number_of_replicas": 0,
  "index.number_of_routing_shards": 1,
  "index.number_of_shards": 1,
  "index.priority": 0,
};

/** Settings that can only be given to a new or a closed index. */
const STATIC =
  /^index\.(?:number_of_shards|number_of_routing_shards|routing_partition_size|codec|(?:sort|analysis|similarity|store)\..+)$/;

/** @throws {Refused} what the server does not know or cannot read */
export function checkIndexSettings(settings: Settings, dialect: Dialect): void {
  const unknown = Object.keys(settings).find((name) => !isKnown(name, dialect));
  if (unknown !== undefined) throw new Refused(400, unknownSetting(unknown, dialect));
  for (const [name, value] of Object.entries(settings)) {
    if (name in INTEGERS && value !== null) checkInteger(name, String(value), INTEGERS[name]!);
    if (name.startsWith("index.blocks.") && !/^(?:true|false|null)$/.test(String(value))) {
      throw illegal(`Failed to parse value [${value}] as only [true] or [false] are allowed.`);
    }
    if (name === "index.refresh_interval" && value !== null) checkTime(name, String(value));
  }
}

function isKnown(name: string, { plugin }: Dialect): boolean {
  const [first = "", ...rest] = name.replace(/^index\./, "").split(".");
  if (name.endsWith("*")) return true;
  if (first === "plugins" || first === "opendistro") return plugin;
  return rest.length > 0 ? GROUPS.includes(first) : INDEX_SETTINGS.includes(first);
}

export function unknownSetting(name: string, { settingsError }: Dialect): ErrorBody {
  const near = INDEX_SETTINGS.map((one) => `index.${one}`)
    .filter((one) => 1 - distance(name, one) / Math.max(name.length, one.length) > 0.7);
  const hint = near.length === 0
    ? " please check that any required plugins are installed, or check the breaking changes documentation for removed settings"
    : ` did you mean ${near.length === 1 ? `[${near[0]}]` : `any of [${near.join(", ")}]`}?`;
  return { type: settingsError, reason: `unknown setting [${name}]${hint}` };
}

/** How many letters differ (Levenshtein). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (const [i, char] of [...a].entries()) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      next.push(Math.min(next[j]! + 1, row[j + 1]! + 1, row[j]! + (b[j] === char ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1)!;
}

export function checkInteger(name: string, value: string, least: number): void {
  const reason = `Failed to parse value [${value}] for setting [${name}]`;
  if (!/^-?\d+$/.test(value)) {
    const cause = { type: "number_format_exception", reason: `For input string: "${value}"` };
    throw illegal(reason, { caused_by: cause });
  }
  if (Number(value) < least) throw illegal(`${reason} must be >= ${least}`);
}

export function checkTime(name: string, value: string): void {
  if (/^(?:-1|0|\d+(?:d|h|m|s|ms|micros|nanos))$/.test(value)) return;
  throw illegal(
    `failed to parse setting [${name}] with value [${value}] as a time value: ` +
      "unit is missing or unrecognized",
  );
}

/** @throws {Refused} what an open index cannot be given */
export function checkDynamic(settings: Settings, index: { name: string; uuid: string }): void {
  const fixed = Object.keys(settings).filter((name) => STATIC.test(name)).sort();
  if (fixed.length === 0) return;
  throw illegal(
    `Can't update non dynamic settings [[${fixed.join(", ")}]] for open indices ` +
      `[[${index.name}/${index.uuid}]]`,
  );
}
