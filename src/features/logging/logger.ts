import { openLogger } from "./_loggers.ts";
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
  const [first = "", ...rest] = name.split(".");
  let inner: ReturnType<typeof openLogger>;
  const at = (level: keyof Logger) => (message: string, properties: LogProperties = {}) => {
    inner ??= openLogger([first, ...rest]);
    // A message is text: what looks like a placeholder in it is none.
    inner?.[level](message.replace(/[{}]/g, "$&$&"), properties);
  };
  return {
    trace: at("trace"),
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
  };
}
