import type { FileWrite, ForeignFiles } from "../../runner/mod.ts";
import { DIALECTS } from "../classifier.ts";
import type { Datasource } from "../datasource.ts";
import { DIRECTIVE } from "../directives.ts";
import { invalidFile, readScript } from "../script.ts";
import { isDownFile, sectionMarks } from "../sections.ts";
import type { Grammar } from "../syntax/grammar.ts";
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
  const isRepeatable = /^R__/.test(baseName(path)) &&
    !IS_REPEATABLE.test(text);
  if (!down && !isRepeatable && !marks.some(({ noTransaction }) => noTransaction)) return [];
  let up = text.slice(0, down?.start);
  for (const { start, end, noTransaction } of marks.toReversed()) {
    if (!noTransaction || start >= up.length) continue;
    up = `${up.slice(0, start)}${NO_TRANSACTION}${up.slice(end)}`;
  }
  if (down) up = `${up.trimEnd()}\n`;
  if (isRepeatable) up = `${REPEATABLE}\n${up}`;
  return [
    { path, text: up },
    ...down ? [{ path: `${path}.down`, text: text.slice(down.start) }] : [],
  ];
}
