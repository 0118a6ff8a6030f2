import { MIGRATION_FEATURES } from "../../src/features/migrations.ts";
import { type Features, loadFeatures } from "../../src/migrations/runner/mod.ts";

/** All features of the migrations, as the command line has them. */
export const FEATURES: Features = await loadFeatures(MIGRATION_FEATURES);
