/**
 * Logging by LogTape, behind one small interface: levels by name from the configuration, JSON or text, an id for each
 * request, no secrets.
 *
 * @example An application that logs
 * ```ts
 * import { bootstrap } from "@irori/irori";
 * import { logger, logging } from "@irori/irori/logging";
 *
 * const app = await bootstrap({
 *   config: { logging: { level: { root: "WARN", users: "DEBUG" } } },
 *   extensions: [logging()],
 * });
 * logger("users.repository").debug("Saved a user", { id: 7 });
 * await app.close();
 * ```
 *
 * @module
 */
export { logger } from "./logger.ts";
export { type Logging, logging } from "./logging.ts";
export type { LevelName, Logger, LogLevels, LogProperties } from "./types.ts";
