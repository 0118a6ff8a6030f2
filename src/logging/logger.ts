import type { getLogger } from "@logtape/logtape";
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
  const category = name.split(".");
  let inner: ReturnType<typeof getLogger> | undefined;
  const at = (level: keyof Logger) => (message: string, properties: LogProperties = {}) => {
    inner ??= opened?.(category);
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

/** From now on loggers write, by LogTape. */
export function openLoggers(open: typeof getLogger): void {
  opened = open;
}

/** LogTape's part, once an application has loaded it. */
let opened: typeof getLogger | undefined;
