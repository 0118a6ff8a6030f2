/** Reads YAML files that are no configuration, with the positions of their keys. */
export { isSecretLine, linesOf } from "./_lines.ts";
export { join as joinKey, parentOf } from "./_path.ts";

/** Thrown for YAML that cannot be read. The parser's own error is not kept: it has the line in it, secrets included. */
export class YamlError extends Error {
  override readonly name = "YamlError";
  readonly line?: number;
  readonly column?: number;

  constructor(message: string, place?: { readonly line: number; readonly column: number }) {
    super(message);
    if (place !== undefined) Object.assign(this, place);
  }
}

/** Reads one YAML document. @throws {YamlError} for invalid YAML, too many levels, and several documents */
export type ParseYaml = (text: string, schema: "core" | "failsafe") => unknown;

/** Loads the parser: where there are no files no bundle needs it. */
export async function loadYamlParser(): Promise<ParseYaml> {
  const { parse } = await import("@std/yaml");
  return (text, schema) => {
    try {
      return parse(text, { schema });
    } catch (cause) {
      if (cause instanceof RangeError) throw new YamlError("The document is nested too deeply");
      if (!(cause instanceof SyntaxError)) throw cause;
      throw located(cause.message);
    }
  };
}

function located(text: string): YamlError {
  const [first = ""] = text.split("\n");
  const [, message = first, line, column] = /^(.*?) at line (\d+), column (\d+)/.exec(first) ?? [];
  if (line === undefined) return new YamlError(message);
  return new YamlError(message, { line: Number(line), column: Number(column) });
}
