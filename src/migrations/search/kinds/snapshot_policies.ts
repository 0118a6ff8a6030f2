import { member } from "../json/json.ts";
import { field, objectOf, omit } from "../json/json_values.ts";
import { type Forms, kindAt, withForms } from "./named.ts";
import { amountOf, UNITS } from "./quantities.ts";
import type { Kind } from "./types.ts";

const OWN = ["name", "schema_version", "schedule", "last_updated_time", "enabled_time", "user"];

/** A POST creates these policies; a PUT only replaces the version that it names. */
export const SNAPSHOT_POLICIES: Kind = {
  ...kindAt("_plugins/_sm/policies", "snapshot policy", "65-snapshots"),
  methods: ["PUT", "POST"],
  write: "versioned",
  create: "POST",
  // An update without it would restart a stopped policy (recorded, 2.19 and 3.4).
  stays: { name: "enabled", usual: true },
  shown: "completely",
  wanted: snapshotPolicyForm,
  read: (json) => [snapshotPolicyForm(field(json, "sm_policy"))],
  file: {
    ending: "-snapshots",
    members: { object: ["snapshot_config"] },
    nameProblem: (name) => {
      if (name !== name.toLowerCase()) return `The name '${name}' must be lower case`;
      const [bad] = /[\s,"*\\<|>/?]/.exec(name) ?? [];
      if (bad !== undefined) return `The name '${name}' has the character '${bad}'`;
    },
    shownOnly: OWN,
  },
  list: {
    path: "/_plugins/_sm/policies",
    within: ["policies"],
    entryName: (entry) => field(entry, "sm_policy", "name"),
    body: "sm_policy",
    isPaged: true,
  },
};

export const SNAPSHOT_LIFECYCLES: Kind = {
  ...kindAt("_slm/policy", "snapshot lifecycle", "65-snapshots"),
  wanted: (body) => body,
  read: (json) => Object.values(objectOf(json)).map((found) => field(found, "policy")),
  file: {
    ending: "-snapshots",
    members: { string: ["schedule", "repository"] },
    isBody: (members) =>
      ["schedule", "repository"].every((name) => member(members, name)?.kind === "string"),
    isOf: "Elasticsearch",
    expected: "the texts 'schedule' and 'repository'",
  },
  list: { path: "/_slm/policy", body: "policy" },
};

const TIMES: Forms = { time_limit: timeForm, max_age: timeForm };
/** Creations are notified by default, other events only if configured. */
const CONDITIONS = { creation: true, deletion: false, failure: false, time_limit_exceeded: false };

/** `SMPolicy.kt` and `NotificationConfig.kt` of `opensearch-project/index-management` at 2.19.4.0 and 3.4.0.0. */
const POLICY: Forms = {
  creation: (creation) => withForms(creation, TIMES),
  deletion: (deletion, { creation }) => ({
    schedule: field(creation, "schedule"),
    ...withForms(deletion, TIMES),
    condition: withForms({ min_count: 1, ...objectOf(field(deletion, "condition")) }, TIMES),
  }),
  notification: (notification) => ({
    ...objectOf(notification),
    conditions: { ...CONDITIONS, ...objectOf(field(notification, "conditions")) },
  }),
};

export function snapshotPolicyForm(policy: unknown): unknown {
  return omit(withForms(policy, POLICY), (_, name) => OWN.includes(name));
}

const MILLISECOND = 1_000_000;

/** `60m` is read back as `1h`, and `100m` as `1.6h`: in the largest unit, cut after one decimal. */
function timeForm(time: unknown): unknown {
  const nanoseconds = amountOf(time, "time");
  if (nanoseconds === undefined || /micros|nanos/i.test(String(time))) return time;
  const rounded = Math.round(nanoseconds / MILLISECOND) * MILLISECOND;
  const [largest, size] = [...UNITS.time].find(([, size]) => rounded >= size) ??
    ["ms", MILLISECOND];
  const [whole, decimals = ""] = String(rounded / size).split(".");
  return `${whole}${decimals === "" ? "" : `.${decimals[0]}`}${largest}`.replace(".0", "");
}
