import type { Table } from "./schema.ts";
import type { NameAt } from "./statement.ts";
import type { Subject } from "./subject.ts";

/** What MySQL and MariaDB do by copying the table, unless the statement says how it may be done. Measured on MariaDB 10.11. */
export function lintCopies(
  subject: Subject,
  name: NameAt,
  table: Table,
  actions: readonly (readonly string[])[],
): void {
  const isBounded = actions.some(([first = "", ...rest]) =>
    BOUNDED[first]?.test(rest.at(-1) ?? "")
  );
  if (isBounded) return;
  for (const action of actions) {
    const text = action.join(" ");
    const found = COPIES.find(({ words }) => words.test(text));
    if (found === undefined) continue;
    // Both at once are done in place.
    const isReplaced = text.startsWith("DROP PRIMARY KEY") &&
      actions.some((other) => other.join(" ").startsWith("ADD PRIMARY KEY"));
    if (isReplaced) continue;
    subject.report(0, {
      rule: found.rule,
      message: `${found.what} the whole table '${name.text}', blocking writes`,
      table,
      advice: [
        "Safe way: let the server refuse what it cannot do without blocking:",
        `  ${subject.source(0)}, ALGORITHM=INPLACE, LOCK=NONE;`,
        "If it refuses: gh-ost or pt-online-schema-change, or a time of low traffic",
      ],
    });
    return;
  }
}

/** What makes the server refuse a copy, or one that writes wait for. */
const BOUNDED: Readonly<Record<string, RegExp>> = {
  ALGORITHM: /^(?:INPLACE|INSTANT|NOCOPY)$/,
  LOCK: /^NONE$/,
};

/** By the words of an action. Whether `MODIFY` copies lies with the column as it is. */
const COPIES = [
  {
    words: /^(?:MODIFY|CHANGE)\b/,
    rule: "changing-column-type",
    what: "Redefining a column may copy",
  },
  {
    words: /^ADD (?:CONSTRAINT \S* ?)?FOREIGN KEY\b/,
    rule: "adding-foreign-key-constraint",
    what: "Unless foreign_key_checks is off, ADD FOREIGN KEY copies",
  },
  {
    words: /^ADD (?:COLUMN )?(?!CONSTRAINT|CHECK|INDEX|KEY).*\b(?:STORED|PERSISTENT)\b/,
    rule: "adding-field-with-default",
    what: "Adding a STORED column copies",
  },
  {
    words: /^ADD (?:COLUMN )?(?!CONSTRAINT|CHECK|INDEX|KEY).*\bDEFAULT \( ?(?:UUID|RAND)\b/,
    rule: "adding-field-with-default",
    what: "Adding a column with a volatile DEFAULT copies",
  },
  {
    words: /^ADD (?:CONSTRAINT \S* ?)?CHECK\b/,
    rule: "rewriting-table",
    what: "ADD CHECK copies",
  },
  { words: /^CONVERT TO\b/, rule: "rewriting-table", what: "CONVERT TO CHARACTER SET copies" },
  { words: /^DROP PRIMARY KEY\b/, rule: "rewriting-table", what: "DROP PRIMARY KEY copies" },
  {
    words: /^ADD (?:FULLTEXT|SPATIAL)\b/,
    rule: "require-concurrent-index-creation",
    what: "ADD FULLTEXT or SPATIAL reads",
  },
  {
    words: /^ADD (?:COLUMN )?(?!CONSTRAINT|CHECK|INDEX|KEY).*\bAUTO_INCREMENT\b/,
    rule: "adding-field-with-default",
    what: "Adding an AUTO_INCREMENT column copies",
  },
  {
    words: /^ENGINE(?: =)? (?!=|INNODB\b)/,
    rule: "rewriting-table",
    what: "Changing the ENGINE copies",
  },
  {
    words: /^(?:PARTITION BY|REMOVE PARTITIONING|REORGANIZE PARTITION|ORDER BY)\b/,
    rule: "rewriting-table",
    what: "This action copies",
  },
  { words: /^ALGORITHM (?:= )?COPY\b/, rule: "rewriting-table", what: "ALGORITHM=COPY copies" },
] as const;
