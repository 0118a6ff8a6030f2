/** What is found in files of SQL, by the name that `-- irori: allow` takes. */
export const RULES = {
  "adding-exclusion-constraint":
    "every row is compared with the others while nobody reads or writes",
  "adding-field-with-default": "the whole table is written anew while nobody reads or writes",
  "adding-foreign-key-constraint": "every row is checked while nobody writes to either table",
  "adding-not-nullable-field": "every row is checked while nobody reads or writes",
  "adding-primary-key": "every row is read while nobody reads or writes",
  "adding-required-field": "it fails as soon as the table has a row",
  "attach-partition-scans":
    "every row of the new partition is checked while nobody reads or writes it",
  "changing-column-type": "the whole table is written anew while nobody reads or writes",
  "constraint-missing-not-valid": "every row is checked while nobody reads or writes",
  "delete-without-where": "every row is deleted in one transaction",
  "disallowed-unique-constraint": "an index is built while nobody reads or writes",
  "drop-column": "the data is gone, and what still reads the column fails",
  "drop-database": "all of it is gone",
  "drop-table": "the data is gone, and what still reads the table fails",
  "locks-add-up": "a table stays locked while the file waits or works elsewhere",
  "renaming-column": "what still uses the old name fails",
  "renaming-table": "what still uses the old name fails",
  "require-concurrent-index-creation": "an index is built while nobody writes",
  "require-concurrent-refresh": "the view is filled anew while nobody reads it",
  "require-concurrent-reindex": "an index is built while nobody reads or writes",
  "rewriting-table": "the whole table is copied while nobody reads or writes",
  "truncate-table": "all rows are gone",
  "update-without-where": "every row stays locked until the last one is written",
} as const;

/** The name of a rule. */
export type Rule = keyof typeof RULES;

/** Whether there is such a rule. */
export function isRule(name: string): name is Rule {
  return Object.hasOwn(RULES, name);
}

/** Something that is told of a statement. */
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
