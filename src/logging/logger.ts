import { getLogger } from "@logtape/logtape";
import type { Logger, LogProperties } from "./types.ts";

/**
 * The logger of a name such as `users.repository`. Before an application has `logging()`, nothing is written.
 *
 * ```ts
 * import { logger } from "@irori/irori/logging";
 *
 * const log = logger("users.repository");
 * log.info("Saved a user", { id: 7 });
 * ```
 */
export function logger(name: string): Logger {
  const inner = getLogger(name.split("."));
  // A message is text: what looks like a placeholder in it is none.
  const plain = (message: string) => message.replace(/[{}]/g, "$&$&");
  return {
    trace: (message, properties: LogProperties = {}) => inner.trace(plain(message), properties),
    debug: (message, properties: LogProperties = {}) => inner.debug(plain(message), properties),
    info: (message, properties: LogProperties = {}) => inner.info(plain(message), properties),
    warn: (message, properties: LogProperties = {}) => inner.warn(plain(message), properties),
    error: (message, properties: LogProperties = {}) => inner.error(plain(message), properties),
  };
}
