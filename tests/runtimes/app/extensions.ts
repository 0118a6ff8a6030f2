import type { BootstrapOptions } from "@irori/irori";
import { actuator } from "@irori/irori/actuator";
import { openApi } from "@irori/irori/openapi";
import { requestContext } from "@irori/irori/context";
import { tracing } from "@irori/irori/tracing";
import { SERVER } from "../../conformance/app.ts";
import { MetersController } from "./meters_controller.ts";
import { ContextController, Deep, KEPT } from "./context_controller.ts";

/** Components beside those of the users example. */
export const more = [ContextController, Deep, MetersController];

/** Options of the users example beside its components, on every runtime. */
export const options = {
  config: {
    server: SERVER,
    info: { app: { name: "users" } },
    management: { endpoints: { include: ["health", "info", "metrics", "prometheus"] } },
  },
  extensions: [
    ...(KEPT === "yes" ? [requestContext()] : []),
    actuator(),
    // The options may be a function of the configuration.
    openApi((config) => ({ info: { version: config.string("info.app.name", "") } })),
    tracing(),
  ],
} satisfies BootstrapOptions;
