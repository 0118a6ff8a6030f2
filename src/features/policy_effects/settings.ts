import { type FeatureKey, featureKey } from "../../migrations/runner/mod.ts";

/** What a changed policy does to the indices that it already manages. */
export type PolicyChanges = "keep" | "apply";

export const POLICY_CHANGES: FeatureKey<PolicyChanges> = featureKey("policy_changes");
