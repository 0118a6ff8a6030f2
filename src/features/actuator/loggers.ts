import { HttpError } from "../../http/mod.ts";
import type { LogLevels } from "./types.ts";

export const EXPECTED_BODY = 'Expected a JSON object such as { "configuredLevel": "DEBUG" }';

export function loggersDocument(levels: LogLevels): unknown {
  const loggers = ["ROOT", ...levels.names()].map((name) => [name, loggerDocument(levels, name)]);
  return { levels: levels.levels, loggers: Object.fromEntries(loggers), groups: {} };
}

export function loggerDocument(levels: LogLevels, name: string): unknown {
  const configuredLevel = levels.configured(name);
  return { ...(configuredLevel && { configuredLevel }), effectiveLevel: levels.effective(name) };
}

/** `null` removes a level. @throws {HttpError} 400, also for a new name when there are a thousand */
export function changeLevel(levels: LogLevels, name: string, body: unknown): void {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new HttpError(400, EXPECTED_BODY);
  }
  const { configuredLevel = null } = body as { readonly configuredLevel?: unknown };
  if (configuredLevel === null) return levels.set(name, undefined);
  const level = typeof configuredLevel === "string" ? configuredLevel.toUpperCase() : undefined;
  if (level === undefined || !levels.levels.includes(level)) {
    const found = level === undefined ? `a value of type ${typeof configuredLevel}` : `'${level}'`;
    throw new HttpError(400, `Expected a level (${levels.levels.join(", ")}), found ${found}`);
  }
  const names = levels.names();
  const isNew = name.toUpperCase() !== "ROOT" && !names.includes(name);
  if (isNew && names.length >= MAX_LOGGERS) {
    throw new HttpError(400, `Expected at most ${MAX_LOGGERS} loggers`);
  }
  if (isNew && name.length > MAX_NAME) {
    throw new HttpError(400, `Expected a name of at most ${MAX_NAME} characters`);
  }
  levels.set(name, level);
}

/** Each name that is set is kept. */
const MAX_LOGGERS = 1000;
const MAX_NAME = 200;
