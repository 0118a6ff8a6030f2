import {
  field,
  isObject,
  type Json,
  listOf,
  mapValues,
  objectOf,
  omit,
} from "../json/json_values.ts";
import { actionSettings, USER_DATA } from "./policy_defaults.ts";
import { quantityState } from "./quantities.ts";
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

/** Sizes and times in one form, whatever their unit: `168h` is `7d`. */
function withUnits(value: unknown, name = ""): unknown {
  if (USER_DATA.has(name)) return value;
  if (Array.isArray(value)) return value.map((item) => withUnits(item, name));
  if (isObject(value)) return mapValues(value, withUnits);
  if (typeof value !== "string" || !QUANTITIES.test(name)) return value;
  return quantityState(value.toLowerCase(), name);
}

/** Names of members that are sizes or times. */
const QUANTITIES = /(?:^|_)(?:age|size|delay|timeout)$/;
