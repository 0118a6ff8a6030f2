/** What is found in files of SQL, by the names that `-- irori: allow` takes. The guide says what each means. */
export const RULES = [
  "adding-exclusion-constraint",
  "adding-field-with-default",
  "adding-foreign-key-constraint",
  "adding-not-nullable-field",
  "adding-primary-key",
  "adding-required-field",
  "altering-domain",
  "attach-partition-scans",
  "changing-column-type",
  "constraint-missing-not-valid",
  "delete-without-where",
  "disallowed-unique-constraint",
  "drop-column",
  "drop-database",
  "drop-table",
  "enabling-row-security",
  "hiding-rows",
  "locks-add-up",
  "renaming-column",
  "renaming-table",
  "replacing-statements",
  "replacing-table",
  "require-concurrent-index-creation",
  "require-concurrent-refresh",
  "require-concurrent-reindex",
  "restricting-inserts",
  "revoking-privileges",
  "rewriting-table",
  "truncate-table",
  "update-without-where",
] as const;

/** The name of a rule. */
export type Rule = typeof RULES[number];

/** Whether there is such a rule. */
export function isRule(name: string): name is Rule {
  return RULES.some((rule) => rule === name);
}

/** A finding about a statement. */
export interface Finding {
  readonly rule: Rule;
  /** Index of the statement in its file. */
  readonly statement: number;
  /** Where in the text that is sent, in UTF-16 units. */
  readonly offset: number;
  /** What is locked and for how long, or what is lost: a sentence without its final period. */
  readonly message: string;
  /** The safe way: lines of text, those of SQL indented. */
  readonly advice: readonly string[];
  /** The table that is concerned, as the database may be asked about it. */
  readonly table?: TableName;
}

/** A table as a file names it, without quotes and in the case that the database knows. */
export interface TableName {
  readonly schema?: string;
  readonly name: string;
}
