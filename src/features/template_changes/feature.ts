import { choiceOf, featureKey, type MigrationFeature } from "../../migrations/runner/mod.ts";
import { objectOf } from "../../migrations/search/json/json_values.ts";
import { quoted } from "../../text/mod.ts";

const KEY = "migrations.template_changes";

export const TEMPLATE_CHANGES = featureKey<"keep" | "rollover">("template_changes");

/** Shows the data streams and write aliases that a changed template reaches, and rolls them over. */
export const feature: MigrationFeature = {
  name: "template_changes",
  settings: {
    search: {
      keys: [KEY],
      read(section) {
        // Runs without the key send no more requests than they do without this feature.
        if (section.string(KEY) === undefined) return { offers: [] };
        const changes = choiceOf(section, KEY, ["keep", "rollover"], "keep");
        return { offers: [TEMPLATE_CHANGES.offer(changes)] };
      },
    },
  },
  async check(files) {
    const changes = TEMPLATE_CHANGES.of(files) ?? (files.purpose === "plan" ? "keep" : undefined);
    if (changes === undefined || files.purpose === "validate") return [];
    return await (await import("./moments.ts")).checkTemplates(files, changes === "rollover");
  },
  async preview(step, next) {
    const preview = await next();
    if (TEMPLATE_CHANGES.of(step) !== "rollover") return preview;
    const requests = (await import("./moments.ts")).rolloverRequests(step);
    return { ...preview, requests: [...preview.requests, ...requests] };
  },
  async apply(step, next) {
    if (TEMPLATE_CHANGES.of(step) !== "rollover") return await next();
    return await (await import("./moments.ts")).applyTemplate(step, next);
  },
  explain({ known = "it was interrupted while it rolled over", resume }) {
    const names = Object.keys(objectOf(resume?.rollovers));
    return Promise.resolve(names.length > 0 ? `${known} (${quoted(names)})` : undefined);
  },
};
