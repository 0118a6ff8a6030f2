import type { FileWrite, ForeignFiles } from "../../runner/mod.ts";
import { DIALECTS } from "../execute/classifier.ts";
import type { Datasource } from "../connect/datasource.ts";
import { DIRECTIVE } from "../files/directives.ts";
import { invalidFile, readScript } from "../files/script.ts";
import { isDownFile, sectionMarks } from "../files/sections.ts";
import type { Grammar } from "../syntax/grammar.ts";
import { nextToken } from "../syntax/lexer.ts";
import { baseName } from "./tool.ts";

/** Turns files of dbmate, goose, sql-migrate, node-pg-migrate and Flyway into files as ours. */
export function foreignSqlFiles({ kind }: Pick<Datasource, "kind">): ForeignFiles {
  const { grammar } = DIALECTS[kind];
  return { extension: ".sql", rewrite: (file) => rewrite(file, grammar) };
}

const NO_TRANSACTION = "-- irori: no-transaction";
const REPEATABLE = "-- irori: repeatable";
const IS_REPEATABLE = new RegExp(`${DIRECTIVE.source}.*\\brepeatable\\b`, "im");

/** The part that takes back goes to `<file>.down`, which is no migration; Flyway's repeatable files are made so. */
function rewrite(
  { path, bytes }: Parameters<ForeignFiles["rewrite"]>[0],
  grammar: Grammar,
): readonly FileWrite[] {
  if (isDownFile(path)) return [];
  const script = readScript({ path, location: path, hash: "", bytes }, {});
  const { text } = script;
  const marks = sectionMarks(text, grammar);
  const down = marks.find(({ direction }) => direction === "down");
  const behind = marks.find(({ direction, start }) =>
    direction === "up" && start > (down?.start ?? start)
  );
  if (behind) {
    const message = "The part that makes something stands behind the one that takes it back: " +
      "put it first";
    throw invalidFile(path, message, script.locate(behind.start));
  }
  if (down && text.slice(0, down.start).trim() === "") {
    const message =
      "Nothing stands before the part that takes back, and the file would be empty: " +
      "delete it, or this comment";
    throw invalidFile(path, message, script.locate(down.start));
  }
  const isRepeatable = /^R__/.test(baseName(path)) && !IS_REPEATABLE.test(text);
  if (!down && !isRepeatable && !marks.some(({ noTransaction }) => noTransaction)) return [];
  let up = text.slice(0, down?.start);
  const head = firstStatement(text, grammar);
  const plain = marks.filter(({ noTransaction, start }) => noTransaction && start < up.length);
  for (const { start, end } of plain.toReversed()) {
    up = `${up.slice(0, start)}${start < head ? NO_TRANSACTION : ""}${up.slice(end)}`;
  }
  if (down) up = `${up.trimEnd()}\n`;
  // A directive stands before the first statement.
  if (plain.length > 0 && plain.every(({ start }) => start > head)) up = `${NO_TRANSACTION}\n${up}`;
  if (isRepeatable) up = `${REPEATABLE}\n${up}`;
  return [
    { path, text: up },
    ...down ? [{ path: `${path}.down`, text: text.slice(down.start) }] : [],
  ];
}

/** Where the first statement begins, behind all comments; the end of the text where there is none. */
function firstStatement(text: string, grammar: Grammar): number {
  let token = nextToken(text, 0, grammar);
  while (token?.kind === "comment") token = nextToken(text, token.end, grammar);
  return token?.start ?? text.length;
}
