import type { FindingName, ValuesOf } from "../rules.ts";
import type { Table } from "../schema.ts";
import { indexOfWord, type Part, type Subject } from "../statement.ts";
import type { Fields, RangeVar } from "./tree.ts";

export interface Action {
  readonly command: Fields;
  readonly parts: readonly Part[];
  readonly at: number;
  readonly relation: RangeVar;
  readonly table: Table;
  readonly name: string;
  readonly isNew: boolean;
  readonly subject: Subject;
}

/** @param values beside the `table`, which is that of the action */
export function reportAction<Name extends FindingName>(
  { table, name, at, isNew, subject }: Action,
  finding: Name,
  values: Omit<ValuesOf<Name>, "table">,
): void {
  if (!isNew) subject.report(at, finding, { table: name, ...values } as ValuesOf<Name>, table);
}

const BEFORE_NAME = ["ADD", "COLUMN", "IF", "NOT", "EXISTS"];
const CLAUSES = [
  ...["CONSTRAINT", "NOT", "NULL", "DEFAULT", "GENERATED", "UNIQUE", "PRIMARY", "CHECK"],
  ...["REFERENCES", "COLLATE", "USING", "DEFERRABLE", "INITIALLY", "STORAGE", "COMPRESSION"],
  ...["STORED", "VIRTUAL"],
];

/** What a column's definition says, as the file has it; `…` where a part is missing. */
export function columnTexts({ parts, subject }: Action) {
  const textBehind = (at: number) => {
    const from = at + 1;
    const [first] = parts.slice(from);
    if (at < 0 || first === undefined) return "…";
    // What is a clause may also be its value: DEFAULT NULL.
    const skipped = first.text === "(" ? from : from + 1;
    const next = indexOfWord(parts.slice(skipped), ...CLAUSES);
    const last = parts[next < 0 ? parts.length - 1 : skipped + next - 1] ?? first;
    return subject.source(first.start, last.end);
  };
  return {
    type: textBehind(
      parts.findIndex(({ word, isQuoted }) => isQuoted || !BEFORE_NAME.includes(word)),
    ),
    default: textBehind(indexOfWord(parts, "DEFAULT")),
    using: textBehind(indexOfWord(parts, "USING")),
    newType: textBehind(indexOfWord(parts, "TYPE")),
    generated: textBehind(indexOfWord(parts, "AS")),
  };
}
