import type { FeatureEntry } from "../migrations/runner/mod.ts";

/** What features do in runs, of applications too, the outermost first. Nothing of one is loaded before a target is made. */
export const RUN_FEATURES: readonly FeatureEntry[] = [
  { name: "monitoring", moments: () => import("./monitoring/feature.ts") },
  { name: "lint", moments: () => import("./lint/feature.ts") },
  { name: "schema", moments: () => import("./schema/feature.ts") },
  { name: "tenants", moments: () => import("./tenants/feature.ts") },
  { name: "sigv4", moments: () => import("./sigv4/feature.ts") },
  { name: "reindex", moments: () => import("./reindex/feature.ts") },
  { name: "policy_effects", moments: () => import("./policy_effects/feature.ts") },
  { name: "lock_out", moments: () => import("./lock_out/feature.ts") },
];
