import { type Config, leaves } from "../../config/mod.ts";
import type { LevelName, LogLevels } from "./types.ts";

export const LEVELS: readonly LevelName[] = [
  "OFF",
  "FATAL",
  "ERROR",
  "WARN",
  "INFO",
  "DEBUG",
  "TRACE",
];

const ROOT = "ROOT";

export class Levels implements LogLevels {
  readonly levels = LEVELS;
  readonly #configured = new Map<string, LevelName>();
  readonly #effective = new Map<string, LevelName>();

  /** Starts from these; `ROOT` is `INFO` unless they say otherwise. */
  constructor(initial: ReadonlyMap<string, LevelName> = new Map()) {
    for (const [name, level] of initial) this.#configured.set(normalize(name), level);
  }

  names(): readonly string[] {
    const all = new Set([...this.#configured.keys(), ...this.#effective.keys()]);
    all.delete(ROOT);
    return [...all].sort();
  }

  configured(name: string): LevelName | undefined {
    return this.#configured.get(normalize(name));
  }

  effective(name: string): LevelName {
    return this.#effective.get(name) ?? this.#find(normalize(name));
  }

  set(name: string, level: string | undefined): void {
    if (level === undefined) this.#configured.delete(normalize(name));
    else this.#configured.set(normalize(name), levelOf(level));
    for (const known of this.#effective.keys()) {
      this.#effective.set(known, this.#find(normalize(known)));
    }
  }

  isEnabled(name: string, level: LevelName): boolean {
    const effective = this.effective(name);
    this.#effective.set(name, effective);
    return LEVELS.indexOf(level) <= LEVELS.indexOf(effective);
  }

  #find(name: string): LevelName {
    for (let end = name.length; end > 0; end = name.lastIndexOf(".", end - 1)) {
      const level = this.#configured.get(name.slice(0, end));
      if (level) return level;
    }
    return this.#configured.get(ROOT) ?? "INFO";
  }
}

/**
 * Reads `logging.level`: a level for each name, `root` for all; names may be nested or dotted. Where names below one have
 * levels of their own, its own is `root` among them: `{ users: { root: WARN, repository: DEBUG } }`.
 *
 * @throws {ConfigError} for a level that does not exist
 */
export function levelsOf(config: Config): Levels {
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
  return new Levels(found);
}

function normalize(name: string): string {
  return name.toUpperCase() === ROOT ? ROOT : name;
}

function levelOf(text: string): LevelName {
  const level = levelNamed(text);
  if (level) return level;
  throw new RangeError(`Expected a level (${LEVELS.join(", ")}), found '${text}'`);
}

export function levelNamed(text: string): LevelName | undefined {
  return LEVELS.find((level) => level === text.toUpperCase());
}
