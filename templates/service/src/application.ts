import type { BootstrapOptions } from "irori";
import { actuator } from "irori/actuator";
import { datasourceHealth, migrateSql } from "irori/migrations";
import { fileURLToPath } from "node:url";
import { UserController } from "./users/user_controller.ts";
import { UserRepository } from "./users/user_repository.ts";

/** The options of `bootstrap`, shared with the tests. */
export const application = {
  // The folder above this one, with `config` and `migrations`.
  root: fileURLToPath(new URL("..", import.meta.url)),
  components: [UserController, UserRepository],
  // Listed above, so that sources and what is built of them start alike.
  config: { "component-scan": [] },
  startup: [migrateSql()],
  extensions: [actuator({ health: [datasourceHealth()] })],
} satisfies BootstrapOptions;
