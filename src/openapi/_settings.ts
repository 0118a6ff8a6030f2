import type { Config } from "../config/mod.ts";

/** Whether `openapi.enabled` leaves the document and its page on. */
export function isEnabled(config: Config): boolean {
  return config.boolean("openapi.enabled", true);
}
