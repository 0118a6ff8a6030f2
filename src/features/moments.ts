import type { FeatureEntry } from "../migrations/runner/mod.ts";

/** Features that act in runs, of applications too, the outermost first. None is loaded before a target is made. */
export const RUN_FEATURES: readonly FeatureEntry[] = [
  { name: "monitoring", moments: () => import("./monitoring/feature.ts") },
  { name: "lint", of: "sql", moments: () => import("./lint/feature.ts") },
  { name: "wrangler", of: "sql", moments: () => import("./wrangler/feature.ts") },
  { name: "rebuilds", of: "sql", moments: () => import("./rebuilds/feature.ts") },
  { name: "backfills", moments: () => import("./backfills/feature.ts") },
  { name: "schema", of: "sql", moments: () => import("./schema/feature.ts") },
  { name: "tenants", of: "sql", moments: () => import("./tenants/feature.ts") },
  { name: "fleets", of: "search", moments: () => import("./fleets/feature.ts") },
  { name: "sigv4", of: "search", moments: () => import("./sigv4/feature.ts") },
  { name: "reindex", of: "search", moments: () => import("./reindex/feature.ts") },
  { name: "policy_attach", of: "search", moments: () => import("./policy_attach/feature.ts") },
  { name: "policy_effects", of: "search", moments: () => import("./policy_effects/feature.ts") },
  {
    name: "template_changes",
    of: "search",
    moments: () => import("./template_changes/feature.ts"),
  },
  { name: "lock_out", of: "search", moments: () => import("./lock_out/feature.ts") },
];
