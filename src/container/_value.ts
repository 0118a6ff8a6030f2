import type { Config, ConfigValue } from "../config/mod.ts";

const PLACEHOLDER = /\$\{([^:}]+)(?::([^}]*))?\}/g;
const WHOLE = /^\$\{([^:}]+)(?::([^}]*))?\}$/;

/**
 * Fills the placeholders of a `@Value` expression.
 *
 * @param place the field that it is for, as `Class.field`
 * @throws {Error} for a key that is missing and has no default
 */
export function evaluate(expression: string, config: Config, place: string): ConfigValue {
  const whole = WHOLE.exec(expression);
  if (whole) return lookup(config, whole[1]!, whole[2], place);
  return expression.replace(PLACEHOLDER, (_, key: string, fallback?: string) => {
    return String(lookup(config, key, fallback, place));
  });
}

function lookup(
  config: Config,
  key: string,
  fallback: string | undefined,
  place: string,
): ConfigValue {
  const value = config.get(key.trim());
  if (value !== undefined) return value;
  if (fallback === undefined) {
    throw new Error(`Cannot fill '${place}': the configuration has no '${key.trim()}'`);
  }
  return scalar(fallback);
}

function scalar(text: string): ConfigValue {
  if (text === "true" || text === "false") return text === "true";
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text)) return text;
  const number = Number(text);
  // Digits that a number would lose are an identifier.
  return text.includes(".") || Number.isSafeInteger(number) ? number : text;
}
