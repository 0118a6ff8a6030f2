import { HttpError } from "../http/mod.ts";
import type { LogLevels } from "./types.ts";

/** All loggers, as Spring Boot lists them. */
export function loggersDocument(levels: LogLevels): unknown {
  const loggers = ["ROOT", ...levels.names()].map((name) => [name, loggerDocument(levels, name)]);
  return { levels: levels.levels, loggers: Object.fromEntries(loggers), groups: {} };
}

/** One logger; a name that nobody has asked for yet has the level of what is above it. */
export function loggerDocument(levels: LogLevels, name: string): unknown {
  const configuredLevel = levels.configured(name);
  return { ...(configuredLevel && { configuredLevel }), effectiveLevel: levels.effective(name) };
}

/**
 * Sets the level of a logger to `{ "configuredLevel": "DEBUG" }`; `null` takes it back.
 *
 * @throws {HttpError} 400 for anything else
 */
export function changeLevel(levels: LogLevels, name: string, body: unknown): void {
  const { configuredLevel = null } = (body ?? {}) as { readonly configuredLevel?: unknown };
  if (configuredLevel === null) return levels.set(name, undefined);
  const level = String(configuredLevel).toUpperCase();
  if (!levels.levels.includes(level)) {
    const expected = levels.levels.join(", ");
    throw new HttpError(400, `Expected a level (${expected}), found '${configuredLevel}'`);
  }
  levels.set(name, level);
}
