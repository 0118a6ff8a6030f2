import {
  field,
  isObject,
  type Json,
  listOf,
  mapValues,
  objectOf,
  omit,
} from "../json/json_values.ts";
import type { Kind } from "./types.ts";

/** Policies of index state management (ISM), under the plugin's path and under the one of Open Distro. */
export const POLICIES: Kind = {
  pattern: /^\/_(?:plugins|opendistro)\/_ism\/policies\/([^/]+)$/,
  methods: ["PUT"],
  effect: "whole",
  write: "versioned",
  shown: "completely",
  noun: "policy",
  path: (name) => `/_plugins/_ism/policies/${name}`,
  wanted: (body) => policyState(field(body, "policy")),
  read: (json) => [policyState(field(json, "policy"))],
  folder: "60-policies",
  list: {
    path: "/_plugins/_ism/policies",
    within: ["policies"],
    nameOf: (entry) => entry._id,
    isPaged: true,
  },
};

/** What a cluster adds to a policy, or keeps for itself. */
const OWN = ["policy_id", "last_updated_time", "schema_version", "user"];
/** What it fills in where nothing is said (recorded, 2.19 and 3.4). */
const RETRY: Json = { count: 3, backoff: "exponential", delay: "1m" };

/** An ISM policy in one form: without what the cluster adds or fills in, and as it writes units, lists and names. */
export function policyState(policy: unknown): unknown {
  const { error_notification: notification, states, ism_template: templates, ...rest } = omit(
    objectOf(policy),
    (key) => OWN.includes(key),
  );
  const forIndices = [templates ?? []].flat().map(templateState);
  return {
    ...rest,
    ...(notification != null && { error_notification: notificationState(notification) }),
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

function notificationState(notification: unknown): unknown {
  return mapValues(objectOf(notification), (value, key) => {
    return key === "message_template" ? withoutDefault(value, "lang", "mustache") : value;
  });
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
    ...mapValues(rest, (settings, name) => withUnits(settingsState(settings, name), name)),
    ...(!isUsual && { retry: completed }),
  };
}

function settingsState(settings: unknown, action: string): unknown {
  switch (action) {
    case "rollover":
      return withoutDefault(settings, "copy_alias", false);
    case "shrink":
      return withoutDefault(settings, "switch_aliases", false);
    case "alias":
      return mapValues(objectOf(settings), (value, key) => {
        return key === "actions" ? listOf(value).map(aliasState) : value;
      });
  }
  return settings;
}

/** `{ "add": { "alias": "a" } }` is `{ "add": { "aliases": ["a"] } }`. */
function aliasState(change: unknown): unknown {
  return mapValues(objectOf(change), (value) => {
    const { alias, ...rest } = objectOf(value);
    return alias === undefined ? value : { aliases: [alias], ...rest };
  });
}

function withoutDefault(value: unknown, name: string, usual: unknown): unknown {
  return isObject(value) ? omit(value, (key, found) => key === name && found === usual) : value;
}

/** Sizes and times are read back in lower case: `50GB` as `50gb`. */
function withUnits(value: unknown, name = ""): unknown {
  if (Array.isArray(value)) return value.map((item) => withUnits(item, name));
  if (isObject(value)) return mapValues(value, withUnits);
  return typeof value === "string" && QUANTITIES.test(name) ? value.toLowerCase() : value;
}

/** Names of members that are sizes or times. */
const QUANTITIES = /(?:^|_)(?:age|size|delay|timeout)$/;
