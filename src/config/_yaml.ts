import { expand } from "./_expand.ts";
import { isSecretLine, linesOf, sourceLine } from "./_lines.ts";
import { at, isMap, parentOf, scalars } from "./_path.ts";
import { describeOrigin } from "../text/mod.ts";
import { ConfigError, type Origin } from "./errors.ts";
import type { ConfigMap } from "./types.ts";
import { loadYamlParser, type ParseYaml, YamlError } from "./yaml.ts";

export interface Layer {
  readonly file: string;
  readonly values: ConfigMap;
  readonly lines: () => ReadonlyMap<string, readonly number[]>;
  /** Numbers as they were written, where that is not as they would be written again. */
  readonly written: ReadonlyMap<string, string>;
}

/** The top level is a map; dotted keys stand for nested ones. @throws {ConfigError} with line and column */
export async function readLayer(
  file: string,
  text: string,
  keys?: readonly string[],
): Promise<Layer> {
  const parse = await loadYamlParser();
  const read = (schema: Schema) => chosen(parseYaml(parse, file, text, schema), keys);
  // Dates stay the text that they are: a password may look like one.
  const values = read("core") ?? {};
  let found: ReadonlyMap<string, readonly number[]> | undefined;
  const lines = () => found ??= linesOf(text);
  if (!isMap(values)) {
    throw new ConfigError("Expected a map of keys at the top level", { origin: { file, line: 1 } });
  }
  const onTwice = (key: string) => {
    const places = (lines().get(key) ?? []).map((line) => describeOrigin({ file, line }));
    const where = places.length > 1 ? `: ${places.join(" and ")}` : "";
    const origin = originIn({ file, lines }, key);
    throw new ConfigError(`Expected one value, found two${where}`, { origin, key });
  };
  const expanded = expand(values, onTwice, { origin: { file } }) as ConfigMap;
  // Text alone knows no tags.
  const written = /!!/.test(text) ? new Map() : writtenNumbers(expanded, read);
  return { file, values: expanded, lines, written };
}

type Schema = Parameters<ParseYaml>[1];

/** Where the value of a key stands in a file: its own line, or that of its nearest parent. */
export function originIn({ file, lines }: Pick<Layer, "file" | "lines">, key: string): Origin {
  for (let path = key; path !== ""; path = parentOf(path)) {
    const line = lines().get(path)?.[0];
    if (line !== undefined) return { file, line };
  }
  return { file };
}

function parseYaml(parse: ParseYaml, file: string, text: string, schema: Schema): unknown {
  try {
    return parse(text, schema);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    const { message, line, column } = error;
    if (line === undefined || column === undefined) {
      throw new ConfigError(message, { origin: { file } });
    }
    const problem = isSecretLine(text, line) ? "Cannot read the YAML" : message;
    const source = sourceLine(text, line, column);
    throw new ConfigError(`${problem}\n${source}`, { origin: { file, line, column } });
  }
}

function chosen(values: unknown, keys: readonly string[] | undefined): unknown {
  if (values === null || values === undefined) return undefined;
  if (keys === undefined || !isMap(values)) return values;
  return Object.fromEntries(
    Object.entries(values).filter(([name]) => keys.some((key) => key === name.split(".")[0])),
  );
}

/** A password `007` is no 7. */
function writtenNumbers(
  values: ConfigMap,
  read: (schema: Schema) => unknown,
): ReadonlyMap<string, string> {
  const numbers = [...scalars(values)].filter(([, value]) => typeof value === "number");
  if (numbers.length === 0) return new Map();
  const texts = expand(read("failsafe"));
  return new Map(numbers.flatMap(([key, value]) => {
    const source = at(texts, key);
    return typeof source === "string" && source !== String(value) ? [[key, source]] : [];
  }));
}
