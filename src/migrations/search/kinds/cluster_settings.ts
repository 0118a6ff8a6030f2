import { hasMember } from "../json/json.ts";
import { field, mapValues, objectOf, omit } from "../json/json_values.ts";
import { withQuantities } from "./quantities.ts";
import { flatNames } from "./settings.ts";
import type { Kind } from "./types.ts";

/** Settings of the cluster. A request merges its own into those that are there, so it says but a part of them. */
export const CLUSTER_SETTINGS: Kind = {
  pattern: /^\/_cluster\/settings()$/,
  isSingle: true,
  isMerged: true,
  methods: ["PUT"],
  effect: "part",
  noun: "cluster settings",
  path: () => "/_cluster/settings",
  wanted: settingsState,
  read: (json) => [settingsState(json)],
  file: {
    ending: "-cluster-settings",
    isBody: (json) => hasMember(json, "object", "persistent"),
    expected: "an object 'persistent'",
  },
  folder: "20-cluster-settings",
  list: { path: "/_cluster/settings?flat_settings=true" },
};

/** Whether a plugin, or the cluster itself, has written a setting. */
export function isOwnSetting(name: string): boolean {
  return !/^(?:archived|plugins\.index_state_management\.template_migration)\./.test(name);
}

function settingsState(body: unknown): unknown {
  const groups = { persistent: field(body, "persistent"), transient: field(body, "transient") };
  return mapValues(
    omit(groups, (_, group) => group === undefined),
    // `null` takes away what a pattern fits, and is not kept itself.
    (group) => withQuantities(omit(flatNames(objectOf(group)), (name) => name.includes("*"))),
  );
}
