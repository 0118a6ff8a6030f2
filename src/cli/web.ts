import type { Commands } from "./command.ts";

/** The commands of the web half that need no feature. */
export const WEB_COMMANDS: Commands = {
  scan: () => import("./commands/scan.ts"),
  routes: () => import("./commands/routes.ts"),
};
