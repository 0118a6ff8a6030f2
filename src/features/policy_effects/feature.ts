import {
  choiceOf,
  type FeatureKey,
  featureKey,
  type MigrationFeature,
} from "../../migrations/runner/mod.ts";
import { isSearchMigration, searchMigrations } from "../../migrations/search/offers.ts";
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

/** Predicts what a policy does to the indices that it manages, and brings its new version to them. */
export const feature: MigrationFeature = {
  name: "policy_effects",
  settings: {
    search: {
      keys: ["migrations.policy_changes"],
      read(section) {
        const key = "migrations.policy_changes";
        const changes = choiceOf(section, key, ["keep", "apply"], "keep");
        return { offers: [POLICY_CHANGES.offer(changes)] };
      },
    },
  },
  async dangers(files) {
    const policies = searchMigrations(files.migrations).filter(({ request }) => isPolicy(request));
    if (POLICY_CHANGES.of(files) !== "apply" || policies.length === 0) return [];
    return await (await import("./effects.ts")).dangersOf(files, policies);
  },
  async preview(step, next) {
    const { migration } = step;
    if (!isSearchMigration(migration) || !isPolicy(migration.request)) return await next();
    return await (await import("./effects.ts")).previewOf(step, migration, await next());
  },
  async apply(step, next) {
    const { migration } = step;
    const applied = await next();
    if (!isSearchMigration(migration) || !isPolicy(migration.request)) return applied;
    return await (await import("./effects.ts")).reachedBy(step, migration, applied);
  },
};
