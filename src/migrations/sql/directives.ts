import { InvalidFileError } from "../runner/mod.ts";
import type { Script } from "./script.ts";
import type { Split } from "./syntax/splitter.ts";

/** What a file says about itself in `-- irori:` comments. */
export interface Directives {
  /** `no-transaction`: statement by statement, each committed by itself. */
  readonly noTransaction: boolean;
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
 * @throws {InvalidFileError} for a directive that is not known or stands behind a statement
 */
export function readDirectives(
  path: string,
  script: Script,
  { comments, statements }: Split,
): Directives {
  const names = new Set<string>();
  const head = statements[0]?.start ?? Infinity;
  for (const { start, end } of comments) {
    const found = /^--[ \t]*irori[ \t]*:[ \t]*/.exec(script.text.slice(start, end));
    if (found === null) continue;
    if (start > head) {
      const message = "A directive has to stand before the first statement of the file";
      throw new InvalidFileError({ path, message, ...script.locate(start) });
    }
    const from = start + found[0].length;
    for (const { 0: name, index } of script.text.slice(from, end).matchAll(/[^\s,]+/g)) {
      if (!KNOWN.includes(name)) throw unknown(path, script, name, from + index);
      names.add(name);
    }
    if (from === end) throw unknown(path, script, "", from);
  }
  return { noTransaction: names.has("no-transaction"), repeatable: names.has("repeatable") };
}

function unknown(path: string, script: Script, name: string, offset: number): InvalidFileError {
  const expected = KNOWN.map((known) => `'${known}'`).join(" or ");
  const message = name === ""
    ? `The directive is empty: expected ${expected}`
    : `There is no directive '${name}': expected ${expected}`;
  return new InvalidFileError({ path, message, ...script.locate(offset) });
}
