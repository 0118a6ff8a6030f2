import type { Config } from "../../config/mod.ts";
import type { MigrationFeature } from "../../migrations/runner/mod.ts";
import { policyMoments } from "../policy_effects/feature.ts";

/** Attaches policies to the indices without one that their templates match. */
export const feature: MigrationFeature = {
  name: "policy_attach",
  settings: { search: { keys: [], read: readSettings } },
  ...policyMoments(async () => (await import("./attach.ts")).way),
};

/** The value is checked by 'policy_effects'. */
function readSettings(section: Config) {
  return { offers: [], attachesPolicies: section.string("migrations.policy_changes") === "apply" };
}
