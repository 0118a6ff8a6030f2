import { choiceOf, type Migration, type MigrationFeature } from "../../migrations/runner/mod.ts";
import { isSearchMigration } from "../../migrations/search/offers.ts";
import type { SearchMigration } from "../../migrations/search/types.ts";
import { POLICY_CHANGES } from "./settings.ts";

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
  async dangers(files) {
    if (POLICY_CHANGES.of(files) !== "apply") return [];
    const policies = (await Array.fromAsync(files.migrations, policyOf))
      .filter((policy) => policy !== undefined);
    return policies.length === 0
      ? []
      : await (await import("./effects.ts")).dangersOf(files, policies);
  },
  async preview(step, next) {
    const policy = await policyOf(step.migration);
    if (!policy) return await next();
    return await (await import("./effects.ts")).previewOf(step, policy, await next());
  },
  async apply(step, next) {
    const [policy, applied] = [await policyOf(step.migration), await next()];
    return policy ? await (await import("./effects.ts")).reachedBy(step, policy, applied) : applied;
  },
};

/** Runs of databases load nothing of kinds of cluster files. */
export async function policyOf(migration: Migration): Promise<SearchMigration | undefined> {
  if (!isSearchMigration(migration)) return undefined;
  const { isPolicy } = await import("./managed.ts");
  return isPolicy(migration) ? migration : undefined;
}
