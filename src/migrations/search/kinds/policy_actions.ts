import { isSame } from "../json/compare.ts";
import { isObject, type Json, listOf, mapValues, objectOf, omit } from "../json/json_values.ts";
import { aliasForm } from "./indices.ts";
import type { Forms } from "./named.ts";
import { quantityForm } from "./quantities.ts";

interface PolicyAction {
  /** A `blocked` index takes no writes, and a `replaced` one leaves them to another index. @default kept */
  readonly effect?: "blocked" | "replaced" | "deleted";
  /** The parameter by which it deletes the index in the end. */
  readonly deletesBy?: string;
  /** Members that the plugin writes if a file omits them, at any depth. The content of one that is `{}` is the user's. */
  readonly defaults?: Json;
  readonly forms?: Forms;
}

const TEMPLATE = { lang: "mustache", params: {}, options: {} };

/**
 * The actions of index state management: `ISMActionsParser.kt` and `populateAction` in `action/*.kt` of
 * `opensearch-project/index-management` at 2.19.4.0, 3.4.0.0 and 3.8.0.0 (read 2026-11-30). 2.19 lacks those on remote
 * indices and replication, and `search_only` is of 3.5. Tests compare what was recorded on 2.19.4 and 3.4.0.
 */
export const POLICY_ACTIONS: ReadonlyMap<string, PolicyAction> = new Map(
  Object.entries<PolicyAction>({
    alias: { forms: { actions: (changes) => listOf(changes).map(aliasChange) } },
    allocation: { defaults: { require: {}, include: {}, exclude: {}, wait_for: false } },
    close: { effect: "blocked" },
    convert_index_to_remote: {
      deletesBy: "delete_original_index",
      defaults: { include_aliases: false, ignore_index_settings: "", delete_original_index: false },
    },
    delete: { effect: "deleted" },
    force_merge: {},
    index_priority: {},
    notification: { defaults: { ...TEMPLATE, port: -1, query_params: {}, header_params: {} } },
    open: {},
    read_only: { effect: "blocked" },
    read_write: {},
    replica_count: {},
    rollover: {
      effect: "replaced",
      defaults: { copy_alias: false, prevent_empty_rollover: false },
    },
    rollup: {
      defaults: { description: "", page_size: 0, dimensions: [], metrics: [], timezone: "UTC" },
      forms: { target_field: targetField },
    },
    search_only: { effect: "blocked" },
    shrink: {
      effect: "replaced",
      defaults: { ...TEMPLATE, switch_aliases: false },
      forms: {
        aliases: (aliases) => listOf(aliases).map((one) => mapValues(objectOf(one), aliasForm)),
      },
    },
    snapshot: {},
    stop_replication: {},
    transform: {
      defaults: {
        ...{ description: "", page_size: 0, groups: [], aggregations: {}, timezone: "UTC" },
        data_selection_query: { match_all: {} },
      },
      forms: { target_field: targetField, data_selection_query: queryForm },
    },
  }),
);

export const BESIDE_ACTIONS: readonly string[] = ["retry", "timeout"];
const RETRY: Json = { count: 3, backoff: "exponential", delay: "1m" };

/** The actions of a state, and what becomes of the index; `unknown` for actions of other plugins. */
export function actionsOf(state: unknown) {
  return listOf(objectOf(state).actions).flatMap((item) => Object.entries(objectOf(item)))
    .filter(([name]) => !BESIDE_ACTIONS.includes(name))
    .map(([name, settings]) => {
      const { effect = "kept", deletesBy = "" } = POLICY_ACTIONS.get(name) ?? { effect: "unknown" };
      return { name, effect: objectOf(settings)[deletesBy] === true ? "deleted later" : effect };
    });
}

export function actionForm(item: unknown): unknown {
  const { retry, ...rest } = objectOf(item);
  const completed = writtenForm({ ...RETRY, ...objectOf(retry) });
  return {
    ...mapValues(rest, (settings, name) => writtenForm(settings, POLICY_ACTIONS.get(name), name)),
    ...(!isSame(completed, RETRY) && { retry: completed }),
  };
}

const LOWER_CASE = /(?:^|_)(?:age|size|delay|timeout|backoff)$/;

/** A part of a policy as the plugin writes it, without defaults and `null`. */
export function writtenForm(
  part: unknown,
  { defaults = {}, forms = {} }: PolicyAction = {},
  name = "",
): unknown {
  const form = (value: unknown, name: string, whole: Json): unknown => {
    if (Object.hasOwn(forms, name)) return forms[name]!(value, whole);
    if (isSame(defaults[name], {})) return value;
    if (Array.isArray(value)) return value.map((item) => form(item, name, whole));
    if (isObject(value)) {
      return omit(mapValues(value, (part, key) => form(part, key, value)), (found, key) => {
        return found === null || (Object.hasOwn(defaults, key) && isSame(defaults[key], found));
      });
    }
    if (typeof value !== "string") return value;
    if (name.endsWith("_template")) return { source: value };
    if (!LOWER_CASE.test(name)) return value;
    return quantityForm(value.toLowerCase().replace(/^0$/, "0s"), name);
  };
  return form(part, name, {});
}

/** `{ "add": { "alias": "a" } }` is `{ "add": { "aliases": ["a"] } }`. */
function aliasChange(change: unknown): unknown {
  return mapValues(objectOf(change), (value) => {
    const { alias, ...rest } = objectOf(value);
    return alias === undefined ? value : { aliases: [alias], ...rest };
  });
}

/** A dimension or a group has its source field by default; the plugin drops that of metrics. */
function targetField(target: unknown, { source_field: source, metrics }: Json): unknown {
  return target === source || metrics ? null : target;
}

/** A query as the server writes it (search slow log of 2.19.4 and 3.4.0); others are not changed. */
function queryForm(query: unknown): unknown {
  return !isObject(query) ? query : mapValues(query, (value, name) => {
    if (!isObject(value)) return value;
    switch (name) {
      case "bool":
        return mapValues(
          omit(unweighted(value), (found, key) => key === "adjust_pure_negative" && found === true),
          (clause) => typeof clause === "object" ? [clause].flat().map(queryForm) : clause,
        );
      case "term":
        return mapValues(value, (said) => unweighted(isObject(said) ? said : { value: said }));
      case "range":
        return mapValues(value, (range) => unweighted(rangeForm(range)));
      default:
        return ["exists", "match_all"].includes(name) ? unweighted(value) : value;
    }
  });
}

function unweighted(query: Json): Json {
  return omit(query, (value, key) => key === "boost" && value === 1);
}

function rangeForm(range: unknown): Json {
  const { gt, gte = gt, lt, lte = lt, ...rest } = objectOf(range);
  const bounds = {
    ...(gte !== undefined && { from: gte, include_lower: gt === undefined }),
    ...(lte !== undefined && { to: lte, include_upper: lt === undefined }),
    ...rest,
  };
  return omit(bounds, (value, key) => {
    return value === null || (key.startsWith("include_") && value === true);
  });
}
