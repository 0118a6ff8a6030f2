import { type Config, leaves } from "../../config/mod.ts";
import type { LevelName } from "./types.ts";

const LEVELS: readonly LevelName[] = [
  "OFF",
  "FATAL",
  "ERROR",
  "WARN",
  "INFO",
  "DEBUG",
  "TRACE",
];

const ROOT = "ROOT";

export type Levels = ReturnType<typeof createLevels>;

/** `ROOT` is `INFO` unless it is set. */
export function createLevels() {
  const own = new Map<string, LevelName>();
  const used = new Map<string, LevelName>();
  const find = (name: string) => {
    for (let end = name.length; end > 0; end = name.lastIndexOf(".", end - 1)) {
      const level = own.get(name.slice(0, end));
      if (level) return level;
    }
    return own.get(ROOT) ?? "INFO";
  };
  const effective = (name: string) => used.get(name) ?? find(normalize(name));
  return {
    levels: LEVELS,
    names: () =>
      [...new Set([...own.keys(), ...used.keys()])].filter((name) => name !== ROOT).sort(),
    configured: (name: string) => own.get(normalize(name)),
    effective,
    set(name: string, level: string | undefined) {
      const known = level === undefined ? undefined : levelNamed(level);
      if (known) own.set(normalize(name), known);
      else if (level === undefined) own.delete(normalize(name));
      else throw new RangeError(`Expected a level (${LEVELS.join(", ")}), found '${level}'`);
      for (const known of used.keys()) used.set(known, find(normalize(known)));
    },
    isEnabled(name: string, level: LevelName) {
      const found = effective(name);
      used.set(name, found);
      return LEVELS.indexOf(level) <= LEVELS.indexOf(found);
    },
    /** Forgets all that was, for an application that starts. */
    start(initial: ReadonlyMap<string, LevelName>) {
      own.clear();
      used.clear();
      for (const [name, level] of initial) own.set(normalize(name), level);
    },
  };
}

/**
 * Reads `logging.level`: a level for each name, `root` for all; names may be nested or dotted. Where names below one have
 * levels of their own, its own is `root` among them: `{ users: { root: WARN, repository: DEBUG } }`.
 *
 * @throws {ConfigError} for a level that does not exist
 */
export function levelsOf(config: Config): ReadonlyMap<string, LevelName> {
  const found = new Map<string, LevelName>();
  const key = "logging.level";
  const map = config.get(key);
  for (const [path, value] of map === undefined ? [] : leaves(map)) {
    // YAML reads OFF as a word, and a file of another dialect as false.
    const text = value === false ? "OFF" : String(value);
    const level = levelNamed(text);
    if (level === undefined) {
      const at = path === "" ? key : `${key}.${path}`;
      throw config.error(at, `expected one of ${LEVELS.join(", ")}, found '${text}'`);
    }
    found.set(path.replace(/\.root$/i, ""), level);
  }
  return found;
}

function normalize(name: string): string {
  return name.toUpperCase() === ROOT ? ROOT : name;
}

export function levelNamed(text: string): LevelName | undefined {
  return LEVELS.find((level) => level === text.toUpperCase());
}
