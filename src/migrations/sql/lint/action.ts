import type { Rule } from "./rules.ts";
import type { Table } from "./schema.ts";
import type { Part } from "./statement.ts";
import type { Subject } from "./subject.ts";
import type { AlterTableCmd } from "./tree.ts";

/** One action of an `ALTER TABLE`. */
export interface Action {
  readonly command: AlterTableCmd;
  readonly parts: readonly Part[];
  readonly at: number;
  readonly table: Table;
  /** The table as the file writes it. */
  readonly name: string;
  readonly isNew: boolean;
  readonly subject: Subject;
}

/** Reports what an action does to a table that others use. */
export function reportAction(
  { table, at, isNew, subject }: Action,
  rule: Rule,
  message: string,
  ...advice: readonly string[]
): void {
  if (!isNew) subject.report(at, { rule, message, table, advice });
}

/** A sentence about what locks the table against reads and writes. */
export function blocking(what: string): string {
  return `${what.charAt(0).toUpperCase()}${what.slice(1)}, blocking reads and writes`;
}

/** A name for something new: at most what fits with a suffix. */
export function plain(name: string): string {
  return name.slice(0, 55);
}

/** How PostgreSQL ends the names of constraints that have none. */
export const SUFFIX: Readonly<Record<string, string>> = {
  CONSTR_CHECK: "check",
  CONSTR_UNIQUE: "key",
  CONSTR_PRIMARY: "pkey",
  CONSTR_FOREIGN: "fkey",
  CONSTR_EXCLUSION: "excl",
};

const CLAUSES = new Set([
  ...["CONSTRAINT", "NOT", "NULL", "DEFAULT", "GENERATED", "UNIQUE", "PRIMARY", "CHECK"],
  ...["REFERENCES", "COLLATE", "USING", "DEFERRABLE", "INITIALLY", "STORAGE", "COMPRESSION"],
]);

/** Texts of a column's definition; `…` for missing parts. */
export interface ColumnPieces {
  readonly type: string;
  /** What `DEFAULT` says. */
  readonly fallback: string;
  /** What `USING` says. */
  readonly using: string;
  /** What `TYPE` says. */
  readonly newType: string;
  /** What `AS` says. */
  readonly generated: string;
}

/** The texts that a column's definition consists of, as the file has them. */
export function columnPieces({ parts, subject }: Action): ColumnPieces {
  const words = parts.map(({ word, isQuoted }) => isQuoted ? "" : word);
  const text = (from: number, to: number) => {
    const [first, last] = [parts[from], parts[to - 1]];
    return first && last && to > from ? subject.source(first.start, last.end) : "…";
  };
  const behind = (from: number) => {
    let depth = 0;
    for (let at = from; at < parts.length; at++) {
      if (parts[at]?.text === "(") depth++;
      if (parts[at]?.text === ")") depth--;
      if (depth === 0 && at > from && CLAUSES.has(words[at] ?? "")) return at;
    }
    return parts.length;
  };
  const closing = (from: number) => {
    let depth = 0;
    return parts.findIndex((part, at) => {
      if (at >= from && part.text === "(") depth++;
      if (at >= from && part.text === ")") depth--;
      return at >= from && depth === 0;
    });
  };
  const clause = (word: string) => {
    const at = words.indexOf(word);
    return at < 0 ? "…" : text(at + 1, behind(at + 1));
  };
  // ADD [COLUMN] [IF NOT EXISTS] name type
  const skipped = ["ADD", "COLUMN", "IF", "NOT", "EXISTS"];
  let start = 0;
  while (skipped[start] !== undefined && skipped.includes(words[start] ?? "")) start++;
  const type = words.indexOf("TYPE");
  const generated = words.indexOf("AS");
  return {
    type: text(start + 1, behind(start + 1)),
    fallback: clause("DEFAULT"),
    using: clause("USING"),
    newType: type < 0 ? "…" : text(type + 1, behind(type + 1)),
    generated: generated < 0 ? "…" : text(generated + 1, closing(generated + 1) + 1),
  };
}
