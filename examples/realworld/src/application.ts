import { actuator } from "irori/actuator";
import { datasourceHealth } from "irori/migrations";
import { openApi, swaggerUi } from "irori/openapi";
import { join } from "node:path";
import { access } from "./users/access.ts";

/** The options of `bootstrap`, for the application and its tests. */
export const conduit = {
  root: join(import.meta.dirname!, ".."),
  extensions: [
    access,
    actuator({ health: [datasourceHealth()] }),
    openApi(),
    swaggerUi(),
  ],
};
