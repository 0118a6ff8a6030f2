import type { MigrationFeature } from "../../migrations/runner/mod.ts";
import { isSearchMigration } from "../../migrations/search/offers.ts";
import { REINDEX, reindexOf } from "./settings.ts";

/** Changes live indices: in place, or by a copy that takes their place while they are used. */
export const feature: MigrationFeature = {
  name: "reindex",
  settings: {
    search: {
      keys: [
        ...["index_changes", "write_pause", "requests_per_second", "old_indices"],
        "reindex_pipeline",
      ].map((key) => `migrations.${key}`),
      read(section) {
        const settings = reindexOf(section);
        if (settings === undefined) return { offers: [] };
        return { offers: [REINDEX.offer(settings)], changesIndices: true };
      },
    },
  },
  async preview(step, next) {
    const { migration } = step;
    const settings = REINDEX.of(step);
    if (!settings || !isSearchMigration(migration) || migration.kind !== "index") {
      return await next();
    }
    return await (await import("./moments.ts")).previewOf(step, migration, settings);
  },
  async apply(step, next) {
    const { migration, work: { entry: { attempt } } } = step;
    const settings = REINDEX.of(step);
    if (!isSearchMigration(migration)) return await next();
    if (settings && migration.kind === "index") {
      return await (await import("./steps.ts")).applyChange(step, migration, settings);
    }
    // The configuration no longer allows changes of live indices.
    if (!attempt?.resume) return await next();
    return await (await import("./moments.ts")).applyInstead(step, attempt, next);
  },
  async explain({ resume }) {
    if (resume === undefined) return undefined;
    const { copyStateOf, describeCopy } = await import("./copy_state.ts");
    const copy = copyStateOf(resume);
    return copy && describeCopy(copy);
  },
  release: async (attempt, work) => (await import("./moments.ts")).release(attempt, work),
  abandon: async (attempt, work) => (await import("./moments.ts")).abandon(attempt, work),
};
