import { actuator } from "irori/actuator";
import { idempotency } from "irori/idempotency";
import { jobs } from "irori/jobs";
import { datasourceHealth } from "irori/migrations";
import { scheduling } from "irori/scheduling";

/** The options of `bootstrap`, for the application and its tests. */
export const orders = {
  root: import.meta.dirname,
  extensions: [jobs(), scheduling(), idempotency(), actuator({ health: [datasourceHealth()] })],
};
