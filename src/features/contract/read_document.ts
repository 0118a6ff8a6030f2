import type { ParseError } from "jsonc-parser";
import { UsageError } from "../../cli/mod.ts";
import { loadYamlParser, YamlError } from "../../config/yaml.ts";
import { FileNotFoundError, type Runtime } from "../../runtime/mod.ts";
import { compareOpenApi } from "./compare.ts";
import type { DocumentFile } from "./findings.ts";

/** @throws {UsageError} */
export async function readDocument(
  runtime: Runtime,
  path: string,
): Promise<DocumentFile & { readonly document: unknown }> {
  let text = "";
  try {
    text = await runtime.files.readTextFile(path);
    const isYaml = /\.ya?ml$/i.test(path);
    const document = isYaml ? (await loadYamlParser())(text, "core") : JSON.parse(text);
    compareOpenApi({ openapi: "3.1.0" }, document);
    // Positions are those of JSON.
    return { path, text: isYaml ? "" : text, document };
  } catch (cause) {
    if (cause instanceof YamlError) {
      const { line, column, message } = cause;
      const at = `${path}${line ? `:${line}:${column}` : ""}`;
      throw new UsageError(`${at}: Cannot compare: the file is not YAML: ${message}`, {}, {
        file: path,
      });
    }
    if (cause instanceof SyntaxError) throw await syntaxError(path, text, cause);
    if (!(cause instanceof FileNotFoundError || cause instanceof TypeError)) throw cause;
    const problem = cause instanceof TypeError
      ? `'${path}' is not an OpenAPI 3.0 or 3.1 document`
      : `file '${path}' does not exist`;
    throw new UsageError(`Cannot compare: ${problem}`, { cause }, { file: path });
  }
}

/** The same on all runtimes, whose messages differ. */
async function syntaxError(file: string, text: string, cause: SyntaxError): Promise<UsageError> {
  const { parseTree } = await import("jsonc-parser");
  const errors: ParseError[] = [];
  parseTree(text, errors, { disallowComments: true });
  const before = text.slice(0, errors[0]?.offset ?? 0).split("\n");
  const [line, column] = [before.length, before.at(-1)!.length + 1];
  const message = `${file}:${line}:${column}: Cannot compare: the file is not JSON`;
  return new UsageError(message, { cause }, { file, line, column });
}
