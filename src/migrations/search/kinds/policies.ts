import { pluginPath } from "../cluster/request.ts";
import { field, listOf, omit } from "../json/json_values.ts";
import { type Forms, kindAt, withForms } from "./named.ts";
import { actionForm, POLICY_ACTIONS, writtenForm } from "./policy_actions.ts";
import { claimOf } from "./templates.ts";
import type { Kind } from "./types.ts";

/** The paths of index state management (ISM). */
export const ISM = "/_plugins/_ism";

export const POLICIES: Kind = {
  ...kindAt("_plugins/_ism/policies", "policy", "60-policies"),
  pattern: pluginPath("_ism/policies/([^/]+)"),
  write: "versioned",
  shown: "completely",
  wanted: (body) => policyForm(field(body, "policy")),
  read: (json) => [policyForm(field(json, "policy"))],
  claims: (body) => templatesOf(field(body, "policy")).map(claimOf),
  list: {
    path: `${ISM}/policies`,
    within: ["policies"],
    entryName: (entry) => entry._id,
    isPaged: true,
  },
};

const OWN = ["policy_id", "last_updated_time", "schema_version", "user"];

export function policyForm(policy: unknown): unknown {
  return omit(withForms(policy, POLICY_FORMS), (_, name) => OWN.includes(name));
}

const STATE_FORMS: Forms = {
  actions: (actions) => listOf(actions).map(actionForm),
  transitions: (transitions) => writtenForm(transitions),
};
const ISM_TEMPLATE_FORMS: Forms = {
  priority: (priority) => Number(priority) === 0 ? null : priority,
  last_updated_time: () => null,
};
const POLICY_FORMS: Forms = {
  error_notification: (part) => writtenForm(part, POLICY_ACTIONS.get("notification")),
  states: (states) => listOf(states).map((state) => withForms(state, STATE_FORMS)),
  ism_template: (_, policy) => templatesOf(policy).map((one) => withForms(one, ISM_TEMPLATE_FORMS)),
};

function templatesOf(policy: unknown): readonly unknown[] {
  return [field(policy, "ism_template") ?? []].flat();
}
