import type { Grammar } from "../syntax/grammar.ts";
import { allTokens } from "../syntax/lexer.ts";

export interface SectionMark {
  readonly direction: "up" | "down";
  readonly noTransaction: boolean;
  readonly isGoose: boolean;
  /** UTF-16 units from the start of the text, `end` excluded. */
  readonly start: number;
  readonly end: number;
  /** The text after the title of node-pg-migrate, which may be prose. */
  readonly title?: string;
}

/** `-- migrate:up` (dbmate), `-- +goose Up`, `-- +migrate Up` (sql-migrate). */
const MARK = /^--[\s-]*(?:migrate:(up|down)\b|\+(?:goose|migrate)[ \t]+(up|down)\b)(.*)/i;
/** `-- Up Migration` (node-pg-migrate), with `-- Down Migrations below` behind it or not. */
const TITLE = /^--[\s-]*(up|down)[^\S\n]+migration(.*)/i;
const TITLE_ALONE = /^s?[\s\p{P}\p{S}]*$/iu;
const NO_TRANSACTION = /^--[\s-]*\+goose[ \t]+no[ \t]+transaction\b/i;
const NO_TRANSACTION_VALUE = /\btransaction[ \t]*:[ \t]*false\b|\bnotransaction\b/i;
/** No file without it has a mark: others need not be read through. */
const MAY_HAVE_MARK = /migrate:(?:up|down)|\+(?:goose|migrate)|(?:up|down)[^\S\n]+migration/i;

export function sectionMarks(text: string, grammar: Grammar): readonly SectionMark[] {
  if (!MAY_HAVE_MARK.test(text)) return [];
  const found: SectionMark[] = [];
  for (const { kind, start, end } of allTokens(text, grammar)) {
    const mark = kind === "comment" ? markIn(text, start, end) : undefined;
    if (mark) found.push(mark);
  }
  const hasUp = found.some(({ title, direction }) => title !== undefined && direction === "up");
  return found.filter(({ title }) => title === undefined || hasUp || TITLE_ALONE.test(title));
}

function markIn(text: string, start: number, end: number): SectionMark | undefined {
  const comment = text.slice(start, end);
  if (NO_TRANSACTION.test(comment)) {
    return { direction: "up", noTransaction: true, isGoose: true, start, end };
  }
  const [, migrate, goose, more = ""] = MARK.exec(comment) ?? [];
  const [, titled, title = ""] = TITLE.exec(comment) ?? [];
  const word = (migrate ?? goose ?? titled)?.toLowerCase();
  if (word === undefined) return undefined;
  // dbmate wants it to begin the line, the others allow for spaces; behind a statement no tool sees one.
  const lineEnd = Math.max(text.lastIndexOf("\n", start), text.lastIndexOf("\r", start));
  const before = text.slice(lineEnd + 1, start);
  if ((migrate === undefined ? before.trim() : before) !== "") return undefined;
  return {
    direction: word === "down" ? "down" : "up",
    noTransaction: NO_TRANSACTION_VALUE.test(more),
    isGoose: /^--[\s-]*\+goose/i.test(comment),
    start,
    end,
    ...(titled !== undefined && { title }),
  };
}

/** The part of a file that goose applies; places stay. `undefined` when an up section does not come first and alone. */
export function gooseUp(text: string, marks: readonly SectionMark[]): string | undefined {
  const sections = marks.filter(({ noTransaction }) => !noTransaction);
  const [up, down] = sections;
  const isOrdered = up?.direction === "up" && sections.length <= 2 && down?.direction !== "up";
  if (!isOrdered) return undefined;
  return text.slice(0, down?.start)
    .replace(STATEMENT_END, (end) => `;${" ".repeat(end.length - 1)}`);
}

const STATEMENT_END = /^--[ \t]*\+goose[ \t]+StatementEnd/gim;
const SUBSTITUTION = /^--[ \t]*\+goose[ \t]+ENVSUB(?:ST)?[ \t]+ON\b/im;

export function substitutesAt(text: string): number | undefined {
  return SUBSTITUTION.exec(text)?.index;
}

export const ENVIRONMENT =
  "goose fills environment variables in here: use '\${…}' with 'migrations.placeholders' instead";
export const DOWN_FILE =
  "The file has the name of a down migration, and no file here is its up migration: move it to another " +
  "folder, or rename it if it is to be applied, such as refinery's 'U2__x.sql' to 'V2__x.sql'";
export const DOWN_SECTION =
  "A down migration begins here, and a run applies the whole file: run 'adopt --write', which moves " +
  "this part to another file beside it";
