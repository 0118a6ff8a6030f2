import type { Config } from "../config/mod.ts";
import type { LogFormat } from "./format.ts";

/** Suits the reader if it is not set. @throws {ConfigError} */
export function formatOf(config: Config, isTerminal: boolean): LogFormat {
  const key = "logging.format";
  const format = config.string(key, isTerminal ? "pretty" : "json");
  if (format === "json" || format === "pretty") return format;
  throw config.error(key, `expected 'json' or 'pretty', found '${format}'`);
}
