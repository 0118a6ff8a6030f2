import type { MigrationFeature } from "../../migrations/runner/mod.ts";
import { redactor } from "../../migrations/search/cluster/redactor.ts";
import { SEARCH } from "../../migrations/search/offers.ts";

/** Compares search files with the JSON schemas that editors use. */
export const feature: MigrationFeature = {
  name: "file_schemas",
  async look(file, target) {
    const search = SEARCH.of(target);
    if (search === undefined) return [];
    const { placeholders = {} } = search.connection;
    const redact = redactor({ placeholders });
    const { schemaWarnings } = await import("./misfits.ts");
    // Only the command line reaches them, so that bundles of applications leave them out.
    const { default: { definitions } } = await import("../../../schemas/search.schema.json", {
      with: { type: "json" },
    });
    return schemaWarnings(file, definitions, placeholders)
      .map((problem) => ({ ...problem, message: redact(problem.message) }));
  },
};
