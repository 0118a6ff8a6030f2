import type { MigrationFeature } from "../../migrations/runner/mod.ts";
import { isSearchMigration, searchMigrations } from "../../migrations/search/offers.ts";
import { isPolicy, POLICY_CHANGES, policyChangesOf } from "./settings.ts";

/** Predicts what a policy does to the indices that it manages, and brings its new version to them. */
export const feature: MigrationFeature = {
  name: "policy_effects",
  settings: {
    search: {
      keys: ["migrations.policy_changes"],
      read: (section) => ({ offers: [POLICY_CHANGES.offer(policyChangesOf(section))] }),
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
