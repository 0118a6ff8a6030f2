import { member } from "../json/json.ts";
import { field, type Json, mapValues, objectOf, omit } from "../json/json_values.ts";
import { kindAt } from "./named.ts";
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
  wanted: snapshotPolicyState,
  read: (json) => [snapshotPolicyState(field(json, "sm_policy"))],
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
    isBody: ({ members }) => {
      return ["schedule", "repository"].every((name) => member(members, name)?.kind === "string");
    },
    isOf: "Elasticsearch",
    expected: "the texts 'schedule' and 'repository'",
  },
  list: { path: "/_slm/policy", body: "policy" },
};

export function snapshotPolicyState(policy: unknown): unknown {
  const { creation, deletion, notification, ...rest } = omit(objectOf(policy), (key, value) => {
    return OWN.includes(key) || value === null;
  });
  return {
    ...rest,
    ...(creation !== undefined && { creation: withTimes(objectOf(creation)) }),
    ...(deletion !== undefined && { deletion: deletionState(objectOf(deletion), creation) }),
    ...(notification !== undefined && { notification: notificationState(notification) }),
  };
}

/** The schedule defaults to that of the creation; at least one snapshot is kept. */
function deletionState({ schedule, condition, ...rest }: Json, creation: unknown): Json {
  const usual = field(creation, "schedule");
  return {
    ...withTimes(rest),
    ...((schedule ?? usual) !== undefined && { schedule: schedule ?? usual }),
    condition: withTimes({ min_count: 1, ...objectOf(condition) }),
  };
}

function withTimes(object: Json): Json {
  return mapValues(object, (value, key) => TIMES.includes(key) ? timeState(value) : value);
}

const TIMES = ["time_limit", "max_age"];
const MILLISECOND = 1_000_000;

/** `60m` is read back as `1h`, and `100m` as `1.6h`: in the largest unit, cut after one decimal. */
function timeState(time: unknown): unknown {
  const nanoseconds = amountOf(time, "time");
  if (nanoseconds === undefined || /micros|nanos/i.test(String(time))) return time;
  const rounded = Math.round(nanoseconds / MILLISECOND) * MILLISECOND;
  const [largest, size] = [...UNITS.time].find(([, size]) => rounded >= size) ??
    ["ms", MILLISECOND];
  const [whole, decimals = ""] = String(rounded / size).split(".");
  return `${whole}${decimals === "" ? "" : `.${decimals[0]}`}${largest}`.replace(".0", "");
}

const CONDITIONS = { creation: true, deletion: false, failure: false, time_limit_exceeded: false };

/** Creations are notified by default, other events only if configured. */
function notificationState(notification: unknown): Json {
  const { conditions, ...rest } = objectOf(notification);
  return { ...rest, conditions: { ...CONDITIONS, ...objectOf(conditions) } };
}
