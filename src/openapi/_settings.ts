import type { Config } from "../config/mod.ts";

/** Whether `openapi.enabled` leaves the document and its page on. */
export function isEnabled(config: Config): boolean {
  return config.boolean("openapi.enabled", true);
}

/** Where the extension keeps what it was told, for the command line, which may be another copy of this library. */
export const GIVEN: unique symbol = Symbol.for("irori: options of openApi()") as never;
