/** The features of the migrations, as the command line has them: names, and imports that are not made before they are needed. */
import type { Feature } from "../cli/mod.ts";
import { MIGRATION_COMMANDS } from "../cli/migrations.ts";
import { RUN_FEATURES } from "./moments.ts";

export const MIGRATION_FEATURES: readonly Feature[] = [
  { name: "migrations", commands: MIGRATION_COMMANDS },
  ...RUN_FEATURES,
  { name: "file_schemas", of: "search", moments: () => import("./file_schemas/feature.ts") },
  {
    name: "parts",
    adds: () => import("./parts/addition.ts"),
    examples: {
      migrate: [["migrate --only acme,globex", "migrate two tenants of 'migrations.each'"]],
    },
  },
  {
    name: "formats",
    adds: () => import("./formats/addition.ts"),
    examples: {
      plan: [["plan --format markdown > plan.md", "write a summary for a review"]],
      validate: [["validate --format github", "annotate the lines of a pull request"]],
    },
  },
  {
    name: "backfills",
    after: "migrate",
    commands: { backfill: () => import("./backfills/command.ts") },
    schemas: { backfill: async ({ kind }) => (await import("./backfills/kind.ts")).textFor(kind) },
  },
  { name: "schema", after: "validate", commands: { schema: () => import("./schema/command.ts") } },
  { name: "types", after: "schema", commands: { types: () => import("./types/command.ts") } },
  { name: "drift", after: "types", commands: { drift: () => import("./drift/command.ts") } },
  { name: "adopt", after: "baseline", commands: { adopt: () => import("./adopt/command.ts") } },
  { name: "init", after: "new", commands: { init: () => import("./init/command.ts") } },
  { name: "convert", after: "adopt", commands: { convert: () => import("./convert/command.ts") } },
  { name: "reindex", after: "resolve", commands: { prune: () => import("./reindex/command.ts") } },
  { name: "pull", after: "prune", commands: { pull: () => import("./pull/command.ts") } },
];
