/**
 * Development stand-in for `@std/yaml`, over npm `yaml`.
 *
 * @module
 */
import { parseDocument, stringify as write } from "yaml";

/**
 * Parses one YAML document.
 *
 * @throws {SyntaxError} with the position at its end: `… at line 2, column 3:`
 */
export function parse(content: string): unknown {
  const document = parseDocument(content, { prettyErrors: true, merge: true });
  const [error] = document.errors;
  if (error) {
    const { line, col } = error.linePos?.[0] ?? { line: 1, col: 1 };
    const [what] = error.message.split(/ at line \d+/);
    throw new SyntaxError(`${what} at line ${line}, column ${col}:`);
  }
  return document.toJS();
}

/** Writes a value as YAML. */
export function stringify(data: unknown): string {
  return write(data);
}
