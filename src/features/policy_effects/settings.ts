import { type FeatureKey, featureKey } from "../../migrations/runner/mod.ts";

export type PolicyChanges = "keep" | "apply";

export const POLICY_CHANGES: FeatureKey<PolicyChanges> = featureKey("policy_changes");
