import { actuator } from "irori/actuator";
import { searchHealth } from "irori/migrations";

/** The options of `bootstrap`, for the application and its tests. */
export const service = {
  root: import.meta.dirname,
  extensions: [actuator({ health: [searchHealth()] })],
};
