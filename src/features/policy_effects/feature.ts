import {
  choiceOf,
  type FeatureKey,
  featureKey,
  type Migration,
  type MigrationFeature,
} from "../../migrations/runner/mod.ts";
import { isSearchMigration } from "../../migrations/search/offers.ts";
import type { SearchMigration } from "../../migrations/search/types.ts";
import type { PolicyChanges } from "./managed.ts";
import type { Way } from "./reach.ts";

export const POLICY_CHANGES: FeatureKey<PolicyChanges> = featureKey("policy_changes");

/** Predicts what a policy does to the indices that it manages, and brings its new version to them. */
export const feature: MigrationFeature = {
  name: "policy_effects",
  settings: {
    search: {
      keys: ["migrations.policy_changes"],
      read(section) {
        const changes = choiceOf(section, "migrations.policy_changes", ["keep", "apply"], "keep");
        return { offers: [POLICY_CHANGES.offer(changes)] };
      },
    },
  },
  ...policyMoments(async () => (await import("./change.ts")).way),
};

export function policyMoments(
  way: () => Promise<Way>,
): Pick<MigrationFeature, "dangers" | "preview" | "apply"> {
  const load = () => import("./effects.ts");
  return {
    async dangers(files) {
      const policies = (await Array.fromAsync(files.migrations, policyOf))
        .filter((policy) => policy !== undefined);
      if (policies.length === 0) return [];
      return (await load()).dangersOf(await way(), files, policies, POLICY_CHANGES.of(files));
    },
    async preview(step, next) {
      const [policy, preview] = [await policyOf(step.migration), await next()];
      if (!policy) return preview;
      return (await load()).previewOf(await way(), step, policy, preview, POLICY_CHANGES.of(step));
    },
    async apply(step, next) {
      const [policy, applied] = [await policyOf(step.migration), await next()];
      if (!policy) return applied;
      return (await load()).reachedBy(await way(), step, policy, applied, POLICY_CHANGES.of(step));
    },
  };
}

/** Runs of databases load nothing of kinds of cluster files. */
async function policyOf(migration: Migration): Promise<SearchMigration | undefined> {
  if (!isSearchMigration(migration)) return undefined;
  const { isPolicy } = await import("./managed.ts");
  return isPolicy(migration) ? migration : undefined;
}
