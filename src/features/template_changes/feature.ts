import { choiceOf, featureKey, type MigrationFeature } from "../../migrations/runner/mod.ts";

const KEY = "migrations.template_changes";

export const TEMPLATE_CHANGES = featureKey<"keep" | "rollover">("template_changes");

const GIVEN_UP = "indices that were rolled over stay; the next run compares the others again";

/** Shows the data streams and write aliases that a changed template reaches, and rolls them over. */
export const feature: MigrationFeature = {
  name: "template_changes",
  settings: {
    search: {
      keys: [KEY],
      read(section) {
        // Without the key only the plan of a changed file sends more requests.
        if (section.string(KEY) === undefined) return { offers: [] };
        const changes = choiceOf(section, KEY, ["keep", "rollover"], "keep");
        return { offers: [TEMPLATE_CHANGES.offer(changes)] };
      },
    },
  },
  async check(files) {
    const changes = TEMPLATE_CHANGES.of(files);
    const isShown = files.purpose === "plan" || (changes && files.purpose === "run");
    return isShown ? await (await import("./moments.ts")).checkTemplates(files, changes) : [];
  },
  async preview(step, next) {
    const [preview, changes] = [await next(), TEMPLATE_CHANGES.of(step)];
    if (changes === "keep" || (!changes && !step.previous)) return preview;
    return (await import("./moments.ts")).showReach(step, preview, changes !== undefined);
  },
  abandon({ resume }) {
    const isOurs = resume?.rollovers !== undefined || resume?.removed !== undefined;
    return Promise.resolve(isOurs ? { message: GIVEN_UP } : undefined);
  },
  async apply(step, next) {
    if (TEMPLATE_CHANGES.of(step) !== "rollover") return await next();
    return await (await import("./moments.ts")).applyTemplate(step, next);
  },
};
