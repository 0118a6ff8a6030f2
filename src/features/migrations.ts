import type { FeatureEntry } from "../migrations/runner/mod.ts";
import { RUN_FEATURES } from "./moments.ts";

/** The features of the migrations, as the command line has them. */
export const MIGRATION_FEATURES: readonly FeatureEntry[] = [
  ...RUN_FEATURES,
  { name: "file_schemas", moments: () => import("./file_schemas/feature.ts") },
];
