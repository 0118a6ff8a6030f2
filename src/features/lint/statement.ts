import { dividedAtCommas } from "../../migrations/sql/syntax/lexer.ts";
import { nameAt, type Word } from "../../migrations/sql/syntax/names.ts";
import type { FindingName, ValuesOf } from "./rules.ts";
import type { Schema, Table } from "./schema.ts";

export { type NameAt, nameAt, splitWords, type Word } from "../../migrations/sql/syntax/names.ts";

/** The operations that a lock blocks: writes, or reads and writes. */
export type Strength = "writes" | "reads";

export interface Effect {
  locks: { readonly table: Table; readonly strength: Strength; readonly isDropped: boolean }[];
  works: boolean;
}

export interface Subject {
  readonly text: string;
  readonly parts: readonly Word[];
  /** The end of a statement that is too long, which the parts leave out. */
  readonly rest: string;
  readonly schema: Schema;
  /** The text of the file between two positions of the statement: placeholders instead of their values. */
  source(start: number, end?: number): string;
  report<Name extends FindingName>(
    at: number,
    name: Name,
    values: ValuesOf<Name>,
    table?: Table,
  ): void;
  /** Notes what is locked, except for tables that no other session uses yet. @default strength "reads" */
  lock(table: Table, strength?: Strength, isDropped?: boolean): void;
  /** Notes that the statement works through rows. */
  work(): void;
}

export type ReportTable = ReturnType<typeof reporter>;

/** Reports what is found of a table, which is not among the values, unless it is one that the file has made. */
export function reporter(subject: Subject, at: number, name: string, table: Table) {
  return <Name extends FindingName>(finding: Name, values: Omit<ValuesOf<Name>, "table">): void => {
    if (subject.schema.isNew(table)) return;
    subject.report(at, finding, { table: name, ...values } as ValuesOf<Name>, table);
  };
}

/** The tokens from a position on, divided at commas that are in no parentheses. */
export function listFrom(parts: readonly Word[], at: number): readonly (readonly Word[])[] {
  return dividedAtCommas(parts.slice(at), ({ text }) => text);
}

/**
 * Whether `UPDATE` or `DELETE` works on some rows alone: one of these words is there, and no `WHERE` that holds for
 * every row such as `true`, `1 = 1`, `NOT false`, `a = 1 OR true`.
 */
export function isLimited(
  parts: readonly Word[],
  rest: string,
  words: readonly string[],
  isNeverNull: (column: string) => boolean = () => false,
): boolean {
  const at = indexOfWord(parts, ...words);
  if (at >= 0) {
    if (rest !== "" || parts[at]?.word !== "WHERE") return true;
    const condition = parts.slice(at + 1);
    let depth = 0;
    const end = condition.findIndex(({ word, text }) => {
      depth += text === "(" ? 1 : text === ")" ? -1 : 0;
      return depth < 0 || (depth === 0 && /^(?:RETURNING|ORDER|;)$/.test(word));
    });
    return !isAlways(condition.slice(0, end < 0 ? undefined : end), isNeverNull);
  }
  return new RegExp(`\\b(?:${words.join("|")})\\b`, "i").test(rest);
}

/** Whether a condition holds for every row, as far as its words tell. */
function isAlways(parts: readonly Word[], isNeverNull: (column: string) => boolean): boolean {
  const always = (inner: readonly Word[]) => isAlways(inner, isNeverNull);
  const either = dividedAt(parts, "OR");
  if (either.length > 1) return either.some(always);
  const both = dividedAt(parts, "AND");
  if (both.length > 1) return both.every(always);
  const text = parts.map(({ word }) => word).join(" ");
  if (/^\( .* \)$/s.test(text) && indexOfWord(parts, ")") === parts.length - 1) {
    return always(parts.slice(1, -1));
  }
  if (parts.length === 4 && text.endsWith(" IS NOT NULL")) {
    const column = nameAt(parts, 0, (name) => name.toLowerCase());
    return column ? isNeverNull(column.name) : text.startsWith("'");
  }
  return /^(?:TRUE|[1-9]\d*|(\S+) = \1|NOT (?:FALSE|0|\( FALSE \))|EXISTS \( SELECT [\w*]+ \))$/
    .test(text);
}

function dividedAt(parts: readonly Word[], word: string): readonly (readonly Word[])[] {
  const at = indexOfWord(parts, word);
  return at < 0 ? [parts] : [parts.slice(0, at), ...dividedAt(parts.slice(at + 1), word)];
}

/** Position of the first token that is one of these words and in no parentheses; -1 where there is none. */
export function indexOfWord(parts: readonly Word[], ...words: readonly string[]): number {
  let depth = 0;
  return parts.findIndex(({ word, text, isQuoted }) => {
    if (text === "(") depth++;
    if (text === ")") depth--;
    return depth === 0 && !isQuoted && words.includes(word);
  });
}
