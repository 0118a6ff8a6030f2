import { type DeclaredPlaceholder, type Replacement, replaceParts } from "../../../text/mod.ts";
import { InvalidFilesError, type LoadedFile } from "../../runner/mod.ts";
import { checkJson, decode, invalid } from "../json/json.ts";
import type { Placeholders, SearchFile } from "../types.ts";
import { usedIn } from "./values.ts";

/**
 * Fills the values of declared placeholders into a file: `${name}` as the only content of a string value becomes the value
 * as JSON, within a text or a key it becomes text, and `$${name}` is the text `${name}`. Everything else stays as it is.
 *
 * @returns the file itself where it uses none of them
 * @throws {InvalidFilesError} for a file that is no JSON as it stands, and for a list or a map within a text
 */
export function filledFile(file: LoadedFile, placeholders: Placeholders): SearchFile {
  if (Object.keys(placeholders).length === 0) return file;
  const source = decode(file);
  const used = usedIn(source, placeholders);
  if (used.length === 0) return file;
  checkSource(file, source, used);
  const filled = replaceParts(
    source,
    used.map((one) => replacement(file, source, one, placeholders)),
  );
  return { ...file, filled: { ...filled, source } };
}

/** The file is JSON as it stands, so that editors and other tools can read it. */
function checkSource(file: LoadedFile, source: string, used: readonly DeclaredPlaceholder[]): void {
  try {
    checkJson(file, source);
  } catch (error) {
    if (!(error instanceof InvalidFilesError)) throw error;
    const [found] = error.problems;
    for (const { name, start } of used) {
      const message = `A placeholder stands in quotes, whatever its value is: "\${${name}}"`;
      const unquoted = invalid(file, source, start, message);
      const [{ line, column } = {}] = unquoted.problems;
      if (line === found?.line && column === found?.column) throw unquoted;
    }
    throw error;
  }
}

function replacement(
  file: LoadedFile,
  source: string,
  { name, start, end, isEscaped }: DeclaredPlaceholder,
  placeholders: Placeholders,
): Replacement {
  if (isEscaped) return { start, end, text: source.slice(start + 1, end) };
  const { data, json, text } = placeholders[name]!;
  if (isWholeValue(source, start, end)) return { start: start - 1, end: end + 1, text: json };
  if (text !== undefined) return { start, end, text: JSON.stringify(text).slice(1, -1) };
  const kind = Array.isArray(data) ? "list" : "map";
  const message = `'\${${name}}' is a ${kind}: it can only be the whole of a value, "\${${name}}"`;
  throw invalid(file, source, start, message);
}

/** Whether it is all that a string value has between its quotes. The text is JSON, so it stands in a string. */
function isWholeValue(source: string, start: number, end: number): boolean {
  if (source[start - 1] !== '"' || source[start - 2] === "\\" || source[end] !== '"') return false;
  const colon = /[ \t\r\n]*:/y;
  colon.lastIndex = end + 1;
  return !colon.test(source);
}
