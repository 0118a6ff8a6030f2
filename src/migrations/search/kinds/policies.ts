import { isSame } from "../json/compare.ts";
import {
  field,
  isObject,
  type Json,
  listOf,
  mapValues,
  objectOf,
  omit,
} from "../json/json_values.ts";
import { aliasState } from "./indices.ts";
import { kindAt } from "./named.ts";
import { quantityState } from "./quantities.ts";
import type { Kind } from "./types.ts";

/** Policies of index state management (ISM), at the path of the plugin and at that of Open Distro. */
export const POLICIES: Kind = {
  ...kindAt("_plugins/_ism/policies", "policy", "60-policies"),
  pattern: /^\/_(?:plugins|opendistro)\/_ism\/policies\/([^/]+)$/,
  write: "versioned",
  shown: "completely",
  wanted: (body) => policyState(field(body, "policy")),
  read: (json) => [policyState(field(json, "policy"))],
  list: {
    path: "/_plugins/_ism/policies",
    within: ["policies"],
    entryName: (entry) => entry._id,
    isPaged: true,
  },
};

const OWN = ["policy_id", "last_updated_time", "schema_version", "user"];
/** The default (recorded, 2.19 and 3.4). */
const RETRY: Json = { count: 3, backoff: "exponential", delay: "1m" };

/** An ISM policy without defaults, with units, lists and names as the cluster writes them. */
export function policyState(policy: unknown): unknown {
  const { error_notification: notification, states, ism_template: templates, ...rest } = omit(
    objectOf(policy),
    (key) => OWN.includes(key),
  );
  const forIndices = [templates ?? []].flat().map(templateState);
  return {
    ...rest,
    ...(notification != null &&
      { error_notification: actionSettings(notification, "notification") }),
    ...(states !== undefined && { states: listOf(states).map(stateState) }),
    ...(forIndices.length > 0 && { ism_template: forIndices }),
  };
}

function templateState(template: unknown): unknown {
  return omit(
    objectOf(template),
    (key, value) => key === "last_updated_time" || (key === "priority" && Number(value) === 0),
  );
}

function stateState(state: unknown): unknown {
  const { actions, transitions, ...rest } = objectOf(state);
  return {
    ...rest,
    ...(listOf(actions).length > 0 && { actions: listOf(actions).map(actionState) }),
    ...(listOf(transitions).length > 0 && { transitions: withUnits(transitions) }),
  };
}

function actionState(action: unknown): unknown {
  const { retry, ...rest } = objectOf(action);
  const completed = mapValues({ ...RETRY, ...objectOf(retry) }, (value, key) => {
    return key === "backoff" ? String(value).toLowerCase() : withUnits(value, key);
  });
  const isUsual = Object.entries(RETRY).every(([key, value]) => completed[key] === value);
  return {
    ...mapValues(rest, (settings, name) => withUnits(actionSettings(settings, name), name)),
    ...(!isUsual && { retry: completed }),
  };
}

function withUnits(value: unknown, name = ""): unknown {
  if (USER_DATA.has(name)) return value;
  if (Array.isArray(value)) return value.map((item) => withUnits(item, name));
  if (isObject(value)) return mapValues(value, withUnits);
  if (typeof value !== "string" || !QUANTITIES.test(name)) return value;
  return quantityState(value.toLowerCase(), name);
}

const QUANTITIES = /(?:^|_)(?:age|size|delay|timeout)$/;

const TEMPLATE = { lang: "mustache", params: {} };
/**
 * Defaults that the plugin writes into an action, by the name of the member, except below {@linkcode USER_DATA}. Taken
 * from `opensearch-project/index-management` at 2.19.4.0 and 3.4.0.0, 2026-11-23; the rollover is recorded on 2.19.4 and
 * 3.4.0.
 */
const DEFAULTS: Readonly<Record<string, Json>> = {
  allocation: { require: {}, include: {}, exclude: {}, wait_for: false },
  // NotificationActionParser.kt and CustomWebhook.kt
  notification: { ...TEMPLATE, port: -1, query_params: {}, header_params: {} },
  rollover: { copy_alias: false },
  rollup: { description: "", page_size: 0, dimensions: [], metrics: [], timezone: "UTC" },
  shrink: { ...TEMPLATE, switch_aliases: false },
  transform: {
    ...{ description: "", page_size: 0, groups: [], aggregations: {}, timezone: "UTC" },
    data_selection_query: { match_all: {} },
  },
};

/** Members whose own members are the user's: names of fields and attributes, parameters, headers. */
const USER_DATA: ReadonlySet<string> = new Set([
  ...["require", "include", "exclude", "params", "query_params", "header_params"],
  ...["aggregations", "data_selection_query", "aliases", "actions"],
]);

function actionSettings(settings: unknown, action: string): unknown {
  const defaults = DEFAULTS[action] ?? {};
  const state = (value: unknown, name = ""): unknown => {
    if (USER_DATA.has(name)) return value;
    if (Array.isArray(value)) return value.map((item) => state(item));
    if (typeof value === "string" && name.endsWith("_template")) return { source: value };
    if (!isObject(value)) return value;
    const completed = mapValues(shaped(value, action), state);
    return omit(completed, (member, found) => {
      return found === null || (Object.hasOwn(defaults, member) && isSame(defaults[member], found));
    });
  };
  return state(settings);
}

function shaped(value: Json, action: string): Json {
  const { aliases, actions, data_selection_query: query, source_field: source, ...rest } = value;
  const { target_field: target, ...others } = rest;
  return {
    ...(source === undefined ? rest : others),
    // The plugin drops the target field of metrics.
    ...(source !== undefined && { source_field: source }),
    ...(source !== undefined && target !== source && !value.metrics && { target_field: target }),
    ...(query !== undefined && { data_selection_query: queryState(query) }),
    ...(actions !== undefined && { actions: listOf(actions).map(aliasAction) }),
    ...(aliases !== undefined && {
      aliases: action === "shrink"
        ? listOf(aliases).map((alias) => mapValues(objectOf(alias), aliasState))
        : aliases,
    }),
  };
}

/** `{ "add": { "alias": "a" } }` is `{ "add": { "aliases": ["a"] } }`. */
function aliasAction(change: unknown): unknown {
  return mapValues(objectOf(change), (value) => {
    const { alias, ...rest } = objectOf(value);
    return alias === undefined ? value : { aliases: [alias], ...rest };
  });
}

/**
 * A query as the server writes it: `{ "term": { "a": 1 } }` becomes `{ "term": { "a": { "value": 1 } } }`. Queries of
 * unknown form (search slow log of 2.19.4 and 3.4.0) are not changed.
 */
function queryState(query: unknown): unknown {
  return !isObject(query) ? query : mapValues(query, (value, name) => {
    if (!isObject(value)) return value;
    switch (name) {
      case "bool":
        return mapValues(
          omit(unweighted(value), (key, found) => key === "adjust_pure_negative" && found === true),
          (clause) => typeof clause === "object" ? [clause].flat().map(queryState) : clause,
        );
      case "term":
        return mapValues(value, (said) => unweighted(isObject(said) ? said : { value: said }));
      case "range":
        return mapValues(value, (range) => unweighted(rangeState(range)));
      default:
        return ["exists", "match_all"].includes(name) ? unweighted(value) : value;
    }
  });
}

function unweighted(query: Json): Json {
  return omit(query, (key, value) => key === "boost" && value === 1);
}

function rangeState(range: unknown): Json {
  const { gt, gte = gt, lt, lte = lt, ...rest } = objectOf(range);
  const bounds = {
    ...(gte !== undefined && { from: gte, include_lower: gt === undefined }),
    ...(lte !== undefined && { to: lte, include_upper: lt === undefined }),
    ...rest,
  };
  return omit(bounds, (key, value) => {
    return value === null || (key.startsWith("include_") && value === true);
  });
}
