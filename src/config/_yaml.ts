import { parse } from "@std/yaml";
import { linesOf } from "./_lines.ts";
import { isMap, join } from "./_path.ts";
import { ConfigError, type Origin } from "./errors.ts";
import type { ConfigMap, ConfigValue } from "./types.ts";

/** One file of the configuration. */
export interface Layer {
  /** As people know it. */
  readonly file: string;
  readonly values: ConfigMap;
  readonly lines: ReadonlyMap<string, number>;
}

/**
 * Reads a YAML file whose top level is a map; dotted keys stand for nested ones.
 *
 * @throws {ConfigError} naming line and column, with the line and a caret
 */
export function readLayer(file: string, text: string): Layer {
  const values = parseYaml(file, text);
  if (values === null || values === undefined) return { file, values: {}, lines: new Map() };
  const origin = { file, line: 1 };
  if (!isMap(values)) {
    throw new ConfigError("Expected a map of keys at the top level", { origin });
  }
  return { file, values: expand(values, "", file) as ConfigMap, lines: linesOf(text) };
}

/** Where the value of a key stands in a file: its own line, or that of its nearest parent. */
export function originIn({ file, lines }: Layer, key: string): Origin {
  for (let path = key; path !== ""; path = path.replace(/(?:\.|^)[^.[\]]+$|\[\d+\]$/, "")) {
    const line = lines.get(path);
    if (line !== undefined) return { file, line };
  }
  return { file };
}

function parseYaml(file: string, text: string): unknown {
  try {
    // Dates stay the text that they are: a password may look like one.
    return parse(text, { schema: "core" });
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    const [first = ""] = cause.message.split("\n");
    const [, message = first, line, column] = /^(.*?) at line (\d+), column (\d+)/.exec(first) ??
      [];
    if (line === undefined) throw new ConfigError(message, { origin: { file } });
    const origin = { file, line: Number(line), column: Number(column) };
    const source = text.split(/\r\n|\r|\n/)[origin.line - 1] ?? "";
    throw new ConfigError(`${message}\n${caret(source, origin.line, origin.column)}`, { origin });
  }
}

function caret(source: string, line: number, column: number): string {
  const gutter = " ".repeat(String(line).length);
  const shown = source.replace(/((?:password|secret|token|key)[^:]*:\s*).*/i, "$1…");
  return `  ${line} | ${shown}\n  ${gutter} | ${" ".repeat(Math.max(0, column - 1))}^`;
}

/** Nests dotted keys, checks that there is nothing but plain data. */
function expand(value: unknown, key: string, file: string): ConfigValue {
  if (Array.isArray(value)) return value.map((item, index) => expand(item, join(key, index), file));
  if (typeof value === "bigint") return String(value);
  if (value === null || value === undefined) return null;
  if (typeof value !== "object") return value as ConfigValue;
  let map: ConfigMap = {};
  for (const [name, child] of Object.entries(value)) {
    const [first = name, ...nested] = name.split(".");
    const inner = nested.reduceRight<unknown>((below, part) => ({ [part]: below }), child);
    map = merge(map, { [first]: expand(inner, join(key, first), file) });
  }
  return map;
}

/** Maps merge, everything else replaces. */
export function merge(below: ConfigMap, above: ConfigMap): ConfigMap {
  const merged: Record<string, ConfigValue> = { ...below };
  for (const [key, value] of Object.entries(above)) {
    const other = Object.hasOwn(merged, key) ? merged[key] : undefined;
    const both = isMap(other) && isMap(value) ? merge(other, value) : value;
    Object.defineProperty(merged, key, {
      value: both,
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return merged;
}
