import type { BootstrapOptions } from "irori";
import { actuator } from "irori/actuator";
import { requestContext, requestIdHeader } from "irori/context"; // {{?logging}}
import { jobs } from "irori/jobs"; // {{?jobs}}
import { logging } from "irori/logging"; // {{?logging}}
import { datasourceHealth, migrateSql } from "irori/migrations";
import { openApi, swaggerUi } from "irori/openapi"; // {{?openapi}}
import { scheduling } from "irori/scheduling"; // {{?jobs}}
import { fileURLToPath } from "node:url";
import { Database } from "./database.ts"; // {{?postgres}}
import { access } from "./login/access.ts"; // {{?security}}
import { LoginController } from "./login/login_controller.ts"; // {{?security}}
import { UserController } from "./users/user_controller.ts";
import { UserRepository } from "./users/user_repository.ts";
import { WelcomeJobs } from "./welcome/welcome_jobs.ts"; // {{?jobs}}

/** The options of `bootstrap`, shared with the tests. */
export const application = {
  // The folder above this one, with `config` and `migrations`.
  root: fileURLToPath(new URL("..", import.meta.url)),
  components: [
    Database, // {{?postgres}}
    LoginController, // {{?security}}
    UserController,
    UserRepository,
    WelcomeJobs, // {{?jobs}}
  ],
  // Listed above, so that sources and what is built of them start alike.
  config: { "component-scan": [] },
  startup: [migrateSql()],
  extensions: [
    requestIdHeader(), // {{?logging}}
    requestContext(), // {{?logging}}
    logging(), // {{?logging}}
    access, // {{?security}}
    openApi(), // {{?openapi}}
    swaggerUi(), // {{?openapi}}
    jobs((config) => ({ memory: config.boolean("jobs.memory", false) })), // {{?jobs}}
    scheduling(), // {{?jobs}}
    actuator({ health: [datasourceHealth()] }),
  ],
} satisfies BootstrapOptions;
