import { applyEdits, format } from "jsonc-parser";

/**
 * A JSON text with two spaces for each level and a line break at its end. Its tokens and their order do not change, so
 * numbers keep their digits.
 */
export function printed(json: string): string {
  const text = json.trim();
  const options = { tabSize: 2, insertSpaces: true, eol: "\n", insertFinalNewline: true };
  return applyEdits(text, format(text, undefined, options));
}
