import { isSecret, nearest, placeholdersIn, withoutUserinfo } from "../text/mod.ts";
import type { Config, ConfigValue } from "./types.ts";

/** Whether a value is not to be shown: by its key, or because a placeholder in it is of a secret. */
export function isSecretValue(key: string, written: ConfigValue | undefined): boolean {
  return isSecret(key) || typeof written === "string" && placeholderNames(written).some(isSecret);
}

function placeholderNames(text: string): readonly string[] {
  try {
    return placeholdersIn(text).flatMap((part) =>
      typeof part === "string" ? [] : [part.name, ...placeholderNames(part.fallback ?? "")]
    );
  } catch {
    return [];
  }
}

/** The end of a message, such as `, found 'abc'`; empty for a secret. @param written the value with placeholders */
export function found(key: string, value: unknown, written?: ConfigValue): string {
  if (isSecretValue(key, written)) return "";
  if (value === null || value === undefined) return ", found nothing";
  if (Array.isArray(value)) return ", found a list";
  return typeof value === "object"
    ? ", found a map"
    : `, found '${withoutUserinfo(String(value))}'`;
}

/** Rejects unknown keys, which are usually misspelled. @throws {ConfigError} that names the key that was meant */
export function refuseUnknownKeys(config: Config, prefix: string, known: readonly string[]): void {
  const full = (name: string) => prefix === "" ? name : `${prefix}.${name}`;
  const visit = (section: Config | undefined, above: string): void => {
    for (const name of section?.keys() ?? []) {
      const key = `${above}${name}`;
      if (known.includes(key)) continue;
      if (known.some((one) => one.startsWith(`${key}.`))) {
        visit(config.section(full(key)), `${key}.`);
        continue;
      }
      const near = nearest(key, known).map((name) => `'${full(name)}'`);
      const hint = near.length > 0
        ? `did you mean ${near.join(" or ")}?`
        : `expected one of ${known.join(", ")}`;
      throw config.error(full(key), `Unknown setting: ${hint}`);
    }
  };
  visit(prefix === "" ? config : config.section(prefix), "");
}
