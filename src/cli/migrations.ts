import type { Commands } from "./command.ts";

/** The commands of migrations that need no feature. */
export const MIGRATION_COMMANDS: Commands = {
  migrate: () => import("./commands/migrate.ts"),
  status: () => import("./commands/status.ts"),
  plan: () => import("./commands/plan.ts"),
  validate: () => import("./commands/validate.ts"),
  baseline: () => import("./commands/baseline.ts"),
  resolve: () => import("./commands/resolve.ts"),
  new: () => import("./commands/new.ts"),
};
