import type { InvalidFilesError } from "../runner/mod.ts";
import { invalidFile, type Script } from "./script.ts";
import type { Split } from "./syntax/splitter.ts";

/** What a file says about itself in `-- irori:` comments. */
export interface Directives {
  /** `no-transaction`: statement by statement, each committed by itself. */
  readonly noTransaction: boolean;
  /** Where that stands in the text. */
  readonly noTransactionAt?: number;
  /** `repeatable`: an edited file runs again. */
  readonly repeatable: boolean;
}

const KNOWN = ["no-transaction", "repeatable"];

/**
 * Reads the directives at the head of a file, before its first statement:
 *
 * ```sql
 * -- irori: no-transaction
 * CREATE INDEX CONCURRENTLY users_email ON users (email);
 * ```
 *
 * @throws {InvalidFilesError} for a directive that is not known or stands behind a statement
 */
export function readDirectives(
  path: string,
  script: Script,
  { comments, statements }: Split,
): Directives {
  const places = new Map<string, number>();
  const head = statements[0]?.start ?? Infinity;
  for (const { start, end } of comments) {
    const found = /^--[ \t]*irori[ \t]*:[ \t]*/i.exec(script.text.slice(start, end));
    if (found === null) continue;
    if (start > head) {
      const message = "A directive has to stand before the first statement of the file";
      throw invalidFile(path, message, script.locate(start));
    }
    const from = start + found[0].length;
    for (const { 0: name, index } of script.text.slice(from, end).matchAll(/[^\s,]+/g)) {
      const directive = name.toLowerCase();
      if (!KNOWN.includes(directive)) throw unknown(path, script, name, from + index);
      places.set(directive, from + index);
    }
    if (from === end) throw unknown(path, script, "", from);
  }
  const noTransactionAt = places.get("no-transaction");
  return {
    noTransaction: noTransactionAt !== undefined,
    ...(noTransactionAt !== undefined && { noTransactionAt }),
    repeatable: places.has("repeatable"),
  };
}

function unknown(path: string, script: Script, name: string, offset: number): InvalidFilesError {
  const expected = KNOWN.map((known) => `'${known}'`).join(" or ");
  const message = name === ""
    ? `The directive is empty: expected ${expected}`
    : `There is no directive '${name}': expected ${expected}`;
  return invalidFile(path, message, script.locate(offset));
}
