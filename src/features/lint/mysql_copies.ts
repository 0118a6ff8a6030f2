import type { FindingName } from "./rules.ts";
import type { Table } from "./schema.ts";
import type { NameAt, Subject } from "./statement.ts";

/** The statements that MySQL and MariaDB run by copying the table, unless they say how. Measured on MariaDB 10.11. */
export function lintCopies(
  { schema, source, report }: Subject,
  name: NameAt,
  table: Table,
  actions: readonly (readonly string[])[],
): void {
  const texts = actions.map((words) => words.join(" "));
  if (schema.isNew(table) || texts.some((text) => BOUNDED.test(text))) return;
  // Both at once are done in place.
  const isReplaced = texts.some((text) => text.startsWith("ADD PRIMARY KEY"));
  for (const text of texts) {
    const copy = COPIES.find(([words]) => words.test(text));
    if (!copy || isReplaced && text.startsWith("DROP PRIMARY KEY")) continue;
    const [, finding, does] = copy;
    report(0, finding, { does, table: name.text, statement: source(0) }, table);
    return;
  }
}

/** A clause that makes the server refuse a copy, or one that writes wait for. */
const BOUNDED = /^(?:ALGORITHM\b.* (?:INPLACE|INSTANT|NOCOPY)|LOCK\b.* NONE)$/;

const ADDED = "adding-field-with-default: copy";
const adding = (clause: string) =>
  new RegExp(`^ADD (?:COLUMN )?(?!CONSTRAINT|CHECK|INDEX|KEY).*\\b(?:${clause})\\b`);
/** By the words of an action. Whether `MODIFY` copies lies with the column as it is. */
const COPIES: readonly (readonly [RegExp, finding: FindingName & `${string}: copy`, string])[] = [
  [/^(?:MODIFY|CHANGE)\b/, "changing-column-type: copy", "Redefining a column may copy"],
  [
    /^ADD (?:CONSTRAINT \S* ?)?FOREIGN KEY\b/,
    "adding-foreign-key-constraint: copy",
    "Unless foreign_key_checks is off, ADD FOREIGN KEY copies",
  ],
  [adding("STORED|PERSISTENT"), ADDED, "Adding a STORED column copies"],
  [adding("DEFAULT \\( ?(?:UUID|RAND)"), ADDED, "Adding a column with a volatile DEFAULT copies"],
  [/^ADD (?:CONSTRAINT \S* ?)?CHECK\b/, "rewriting-table: copy", "ADD CHECK copies"],
  [/^CONVERT TO\b/, "rewriting-table: copy", "CONVERT TO CHARACTER SET copies"],
  [/^DROP PRIMARY KEY\b/, "rewriting-table: copy", "DROP PRIMARY KEY copies"],
  [
    /^ADD (?:FULLTEXT|SPATIAL)\b/,
    "require-concurrent-index-creation: copy",
    "ADD FULLTEXT or SPATIAL reads",
  ],
  [adding("AUTO_INCREMENT"), ADDED, "Adding an AUTO_INCREMENT column copies"],
  [/^ENGINE(?: =)? (?!=|INNODB\b)/, "rewriting-table: copy", "Changing the ENGINE copies"],
  [
    /^(?:PARTITION BY|REMOVE PARTITIONING|REORGANIZE PARTITION|ORDER BY)\b/,
    "rewriting-table: always: copy",
    "This action copies",
  ],
  [/^ALGORITHM (?:= )?COPY\b/, "rewriting-table: copy", "ALGORITHM=COPY copies"],
];
