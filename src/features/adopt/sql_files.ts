import { isDownFile } from "../../migrations/runner/mod.ts";
import type { FileWrite, ForeignFiles } from "./http_files.ts";
import type { Datasource } from "../../migrations/sql/connect/datasource.ts";
import { DIRECTIVE } from "../../migrations/sql/files/directives.ts";
import { engineOf } from "../../migrations/sql/engines/table.ts";
import { invalidFile, readScript, type Script } from "../../migrations/sql/files/script.ts";
import { type SectionMark, sectionMarks } from "../../migrations/sql/files/sections.ts";
import type { Grammar } from "../../migrations/sql/syntax/grammar.ts";
import { nextToken } from "../../migrations/sql/syntax/lexer.ts";
import { baseName } from "../../migrations/sql/foreign/tool.ts";

/** Turns files of dbmate, goose, sql-migrate, node-pg-migrate and Flyway into files as ours. */
export async function foreignSqlFiles(
  datasource: Pick<Datasource, "kind" | "engine">,
): Promise<ForeignFiles> {
  const { grammar } = await engineOf(datasource).dialect();
  return { extension: ".sql", rewrite: (file) => rewrite(file, grammar) };
}

const NO_TRANSACTION = "-- irori: no-transaction";
const REPEATABLE = "-- irori: repeatable";
const IS_REPEATABLE = new RegExp(`${DIRECTIVE.source}.*\\brepeatable\\b`, "im");

function checkOrder(
  path: string,
  { text, locate }: Script,
  marks: readonly SectionMark[],
  down: SectionMark | undefined,
): void {
  if (down === undefined) return;
  const behind = marks.find(({ direction, start }) => direction === "up" && start > down.start);
  if (behind) {
    const message = "The up section stands behind the down section: put it first";
    throw invalidFile(path, message, locate(behind.start));
  }
  if (text.slice(0, down.start).trim() !== "") return;
  const message = "The file has no up section, and would be empty: delete it, or this comment";
  throw invalidFile(path, message, locate(down.start));
}

/** The down section goes to `<file>.down`, which is not a migration; Flyway's repeatable files get the directive. */
function rewrite(
  { path, bytes }: Parameters<ForeignFiles["rewrite"]>[0],
  grammar: Grammar,
): readonly FileWrite[] {
  if (isDownFile(path)) return [];
  const script = readScript({ path, location: path, hash: "", bytes }, {});
  const { text } = script;
  const marks = sectionMarks(text, grammar);
  const down = marks.find(({ direction }) => direction === "down");
  checkOrder(path, script, marks, down);
  const isRepeatable = /^R__/.test(baseName(path)) && !IS_REPEATABLE.test(text);
  if (!down && !isRepeatable && !marks.some(({ noTransaction }) => noTransaction)) return [];
  let up = text.slice(0, down?.start);
  const head = firstStatement(text, grammar);
  const plain = marks.filter(({ noTransaction, start }) => noTransaction && start < up.length);
  for (const { start, end } of plain.toReversed()) {
    up = `${up.slice(0, start)}${start < head ? NO_TRANSACTION : ""}${up.slice(end)}`;
  }
  if (down) up = `${up.trimEnd()}\n`;
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
