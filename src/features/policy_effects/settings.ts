import type { Config } from "../../config/mod.ts";
import { choiceOf, type FeatureKey, featureKey } from "../../migrations/runner/mod.ts";
import { POLICIES } from "../../migrations/search/kinds/policies.ts";
import { isUpsert, resourceOf } from "../../migrations/search/kinds/resource.ts";
import type { SearchRequest } from "../../migrations/search/types.ts";

/** What a changed policy does to the indices that it already manages. */
export type PolicyChanges = "keep" | "apply";

export const POLICY_CHANGES: FeatureKey<PolicyChanges> = featureKey("policy_changes");

export function isPolicy(request: SearchRequest): boolean {
  const resource = resourceOf(request);
  return resource?.kind === POLICIES && isUpsert(request, resource);
}

export function policyChangesOf(section: Config): PolicyChanges {
  return choiceOf(section, "migrations.policy_changes", ["keep", "apply"], "keep");
}
