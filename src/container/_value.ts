import {
  type Config,
  type ConfigValue,
  found,
  type Misfit,
  misfitIn,
  type PlaceholderValue,
  placeholderValue,
} from "../config/mod.ts";
import { type Placeholder, PlaceholderError, placeholdersIn } from "../text/mod.ts";
import {
  conversionOf,
  isSchema,
  isTypeName,
  isValueType,
  validateNow,
  type ValueType,
} from "../schema/mod.ts";

/** @throws {Error} for a missing key without a default, and for a value that does not convert */
export function evaluate(
  expression: string,
  config: Config,
  place: string,
  type?: ValueType,
): unknown {
  const [, bare] = /^#\{(.+)\}$/.exec(expression) ?? [];
  try {
    if (bare !== undefined && !bare.includes("${")) {
      throw new PlaceholderError(`expected a placeholder, "\${${bare}}", found "${expression}"`);
    }
    if (isSchema(type) && isMissing(expression, config)) {
      // Some have a default, or take nothing for an answer.
      const result = validateNow(type, undefined, `Cannot fill '${place}'`);
      if (!result.issues) return result.value;
    }
    const filled = fillExpression(expression, config);
    return type === undefined ? filled.value : convert(filled, type, expression, config, place);
  } catch (error) {
    if (!(error instanceof PlaceholderError)) throw error;
    throw new Error(`Cannot fill '${place}': ${error.message}`, { cause: error });
  }
}

interface Filled extends PlaceholderValue {
  readonly value: ConfigValue;
  readonly key?: string;
}

function isMissing(expression: string, config: Config): boolean {
  const [whole, ...others] = placeholdersIn(expression);
  if (typeof whole !== "object" || others.length > 0 || whole.fallback !== undefined) return false;
  return whole.name !== "" && placeholderValue(config, whole.name).value === undefined;
}

function fillExpression(expression: string, config: Config): Filled {
  const parts = placeholdersIn(expression);
  const [whole] = parts;
  if (parts.length === 1 && typeof whole === "object") return lookup(whole, config);
  const filled = parts.map((part): Filled =>
    typeof part === "string" ? { value: part, text: part, isSecret: false } : lookup(part, config)
  );
  const text = filled.map(({ text, key }) => {
    if (text !== undefined) return text;
    throw new PlaceholderError(`'${key}' is a map or a list, which text cannot contain`);
  }).join("");
  return { value: text, text, isSecret: filled.some(({ isSecret }) => isSecret) };
}

function lookup({ name, fallback }: Placeholder, config: Config): Filled {
  const { value, text, isSecret = false }: Partial<PlaceholderValue> = name === ""
    ? {}
    : placeholderValue(config, name);
  if (value !== undefined) return { value, text, key: name, isSecret };
  if (fallback === undefined) throw new PlaceholderError(`the configuration has no '${name}'`);
  const filled = fillExpression(fallback, config);
  const isWritten = placeholdersIn(fallback).every((part) => typeof part === "string");
  return {
    ...filled,
    ...(isWritten && { value: scalar(String(filled.value)) }),
    isSecret: isSecret || filled.isSecret,
  };
}

function convert(
  filled: Filled,
  type: ValueType,
  expression: string,
  config: Config,
  place: string,
): unknown {
  const { value, text, key, isSecret } = filled;
  const fail = (reason: string, at = key) => {
    if (at !== undefined) return config.error(at, `Cannot fill '${place}': ${reason}`);
    return new Error(`Cannot fill '${place}' with '${expression}': ${reason}`);
  };
  if (isSchema(type)) {
    const result = validateNow(type, value, `Cannot fill '${place}'`);
    if (!result.issues) return result.value;
    const { key: at, message, isHidden }: Partial<Misfit> = key === undefined
      ? { message: result.issues[0]?.message }
      : misfitIn(config, key, result.issues);
    if (isHidden) throw fail(`it ${message?.replace("D", "d")}`, at);
    throw fail(isSecret ? "it does not match the schema" : message ?? "", at);
  }
  if (!isValueType(type) || typeof type === "string" && !isTypeName(type)) {
    const given = typeof type === "string" ? `"${type}"` : typeof type;
    const expected = 'a type such as "int", a list of strings or a schema';
    throw new TypeError(`Cannot fill '${place}': expected ${expected}, found ${given}`);
  }
  const { expected, convert } = conversionOf(type);
  const converted = text === undefined ? undefined : convert(text);
  if (converted !== undefined) return converted;
  throw fail(`expected ${expected}${isSecret ? "" : found(key ?? "", value)}`);
}

function scalar(text: string): ConfigValue {
  if (text === "true" || text === "false") return text === "true";
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text)) return text;
  const number = Number(text);
  // Digits that a number would lose are an identifier.
  return text.includes(".") || Number.isSafeInteger(number) ? number : text;
}
