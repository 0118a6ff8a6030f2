import type { MigrationFeature } from "../../migrations/runner/mod.ts";
import { redactor } from "../../migrations/search/cluster/redactor.ts";
import { isSearchMigration, SEARCH } from "../../migrations/search/offers.ts";

/** Compares search files with the JSON schemas that editors use. */
export const feature: MigrationFeature = {
  name: "file_schemas",
  async look(migration, target) {
    const search = SEARCH.of(target);
    if (search === undefined || !isSearchMigration(migration)) return [];
    const { placeholders = {} } = search.connection;
    const redact = redactor({ placeholders });
    const { schemaWarnings } = await import("./misfits.ts");
    // Only the command line reaches them, so that bundles of applications leave them out.
    const { default: { definitions } } = await import("../../../schemas/search.schema.json", {
      with: { type: "json" },
    });
    return schemaWarnings(migration.json, definitions)
      .map((problem) => ({ ...problem, message: redact(problem.message) }));
  },
};
