import type { BootstrapOptions } from "@irori/irori";
import { actuator } from "@irori/irori/actuator";
import { openApi } from "@irori/irori/openapi";
import { tracing } from "@irori/irori/tracing";
import { SERVER } from "../../conformance/app.ts";

/** What the users example has beside its components, on every runtime. */
export const options = {
  config: {
    server: SERVER,
    info: { app: { name: "users" } },
    management: { endpoints: { include: ["health", "info", "metrics", "prometheus"] } },
  },
  extensions: [actuator(), openApi(), tracing()],
} satisfies BootstrapOptions;
