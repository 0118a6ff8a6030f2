import type { MigrationFeature } from "../../migrations/runner/mod.ts";
import { policyMoments } from "../policy_effects/feature.ts";

/** Attaches policies to the indices without one that their templates match. */
export const feature: MigrationFeature = {
  name: "policy_attach",
  ...policyMoments(async () => (await import("./attach.ts")).way),
};
