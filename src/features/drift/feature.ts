import { type FeatureKey, featureKey, type MigrationFeature } from "../../migrations/runner/mod.ts";

/** Names of objects that `drift` leaves out, with `*` for any characters. */
export const DRIFT_IGNORE: FeatureKey<readonly string[]> = featureKey("drift_ignore");

/** Compares what is live with what was applied. */
export const feature: MigrationFeature = {
  name: "drift",
  settings: {
    datasource: {
      keys: ["migrations.drift_ignore"],
      read(section) {
        const names = section.strings("migrations.drift_ignore");
        return { offers: names ? [DRIFT_IGNORE.offer(names)] : [] };
      },
    },
  },
};
