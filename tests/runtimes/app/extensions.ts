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

/** What the users example has beside its components, on every runtime. */
export const options = {
  config: {
    server: SERVER,
    info: { app: { name: "users" } },
    management: { endpoints: { include: ["health", "info", "metrics", "prometheus"] } },
  },
  extensions: [
    ...(KEPT === "yes" ? [requestContext()] : []),
    actuator(),
    // Of the configuration: options may be a function.
    openApi((config) => ({ info: { version: config.string("info.app.name", "") } })),
    tracing(),
  ],
} satisfies BootstrapOptions;
