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
      const [first = ""] = cause.message.split("\n");
      const [, message = first, line, column] = /^(.*?) at line (\d+), column (\d+)/.exec(first) ??
        [];
      const place = line === undefined ? undefined : { line: Number(line), column: Number(column) };
      throw new YamlError(message, place);
    }
  };
}
