import type { Logger, LogProperties } from "./types.ts";

type GetLogger = (category: readonly [string, ...string[]]) => Logger;

/** LogTape's part, once an application has loaded it; in a type of our own, so that `logger()` names no package. */
let getLogger: GetLogger | undefined;

export function openLoggers(given: GetLogger): void {
  getLogger = given;
}

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
  let inner: Logger | undefined;
  const at = (level: keyof Logger) => (message: string, properties: LogProperties = {}) => {
    inner ??= getLogger?.([first, ...rest]);
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
