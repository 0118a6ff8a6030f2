export const NO_TRANSACTION = "Safe way, in a file that begins with '-- irori: no-transaction':";
const COPY = [
  "{does} the whole table '{table}', blocking writes",
  "Safe way: let the server refuse what it cannot do without blocking:",
  "  {statement}, ALGORITHM=INPLACE, LOCK=NONE;",
  "If it refuses: gh-ost or pt-online-schema-change, or a time of low traffic",
] as const;
const COPY_ALWAYS = [COPY[0], "Safe way: gh-ost or pt-online-schema-change"] as const;
const RENAME_FIRST = [
  "Safe way: first a release that does not use it, then another name for a while, then this file with that name:",
  "  -- irori: allow renaming-table: no release uses it",
  "  ALTER TABLE {table} RENAME TO {old};",
] as const;
const FILLING = [
  "  CREATE FUNCTION {filler}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN",
  "    NEW.{filled} := (SELECT {value} FROM (SELECT NEW.*) AS {row}); RETURN NEW;",
  "  END $$;",
  "  CREATE TRIGGER {filler} BEFORE INSERT OR UPDATE ON {table} FOR EACH ROW EXECUTE FUNCTION {filler}();",
  "{fill}",
] as const;
const SECOND_COLUMN = [
  "Safe way: a second column, which a trigger fills in new rows, then existing rows in batches:",
  "  ALTER TABLE {table} ADD COLUMN {filled} {type};",
  ...FILLING,
  "{laterNotNull}",
  "  -- in a later file, once every release reads {filled} and writes both,",
  "  -- behind what moves all else of {quoted} to {filled} (how: sql-lint.md, 'Another type or name'):",
  "  DROP TRIGGER {filler} ON {table}; DROP FUNCTION {filler}();",
  "  ALTER TABLE {table} ALTER COLUMN {quoted} DROP NOT NULL;",
  "  -- in a later file, once no release uses {quoted}:",
  "  -- irori: allow drop-column: no release uses it",
  "  ALTER TABLE {table} DROP COLUMN {quoted};",
] as const;
const DROPPED =
  "Deletes the data of '{column}' in '{table}', and an application that still uses the column fails";
const RENAMED = "An application that still uses '{column}' of '{table}' fails";

/**
 * The findings in files of SQL: by rule, or by rule and case, the message and the lines of advice. A finding is worded
 * here once for all readers of statements. `{name}` stands for a value; a line that is nothing else may become several
 * lines, or none. The guide describes each rule.
 */
const FINDINGS = {
  "adding-exclusion-constraint": [
    "Adding an exclusion constraint compares all rows of '{table}', blocking reads and writes",
    "It cannot be added without blocking: choose a time of low traffic",
  ],
  "adding-field-with-default: sequence": [
    "Adding {sequenceKind} column rewrites table '{table}', blocking reads and writes",
    "Safe way: a sequence for new rows, then existing rows in batches:",
    "  CREATE SEQUENCE {sequence};",
    "  ALTER TABLE {table} ADD COLUMN {column} {numberType};",
    "  ALTER TABLE {table} ALTER COLUMN {column} SET DEFAULT nextval({sequenceLiteral});",
    "  ALTER SEQUENCE {sequence} OWNED BY {table}.{column};",
    "{fillDefault}",
    "{laterNotNull}",
  ],
  "adding-field-with-default: STORED": [
    "Adding a STORED column rewrites table '{table}', blocking reads and writes",
    "Safe way: a plain column, a trigger that fills it in new rows, then existing rows in batches:",
    "  ALTER TABLE {table} ADD COLUMN {column} {type};",
    ...FILLING,
    "{laterNotNull}",
  ],
  "adding-field-with-default: domain": [
    "Adding a column of the domain '{type}', which has constraints, rewrites table '{table}', blocking reads and writes",
    "Safe way: a column with the base type of the domain, otherwise as here, and its CHECK as a table constraint:",
    "  ALTER TABLE {table} ADD COLUMN {column} {baseType};",
    "{checkLater}",
  ],
  "adding-field-with-default: volatile": [
    "Adding a column with a volatile DEFAULT rewrites table '{table}', blocking reads and writes{unless}",
    "Safe way: the column, then the default for new rows, then existing rows in batches:",
    "  ALTER TABLE {table} ADD COLUMN {column} {type};",
    "  ALTER TABLE {table} ALTER COLUMN {column} SET DEFAULT {default};",
    "{fillDefault}",
    "{laterNotNull}",
  ],
  "adding-field-with-default: copy": COPY,
  "adding-foreign-key-constraint":
    "Blocks writes to '{table}' and '{other}' while every row of '{table}' is checked\n{safeWay}",
  "adding-foreign-key-constraint: column":
    "Adding a column with REFERENCES and a DEFAULT checks every row of '{table}', blocking reads and writes\n{safeWay}",
  "adding-foreign-key-constraint: copy": COPY,
  "adding-not-nullable-field":
    "{what} scans table '{table}', blocking reads and writes{unless}\n{safeWay}",
  "adding-primary-key":
    "Adding a {what} {does} table '{table}', blocking reads and writes{unless}\n{safeWay}",
  "adding-required-field": [
    "Adding a NOT NULL column without a DEFAULT fails if table '{table}' has rows",
    "Safe way: with a constant default, which is instant and rewrites nothing:",
    "  ALTER TABLE {table} ADD COLUMN {column} {type} NOT NULL DEFAULT …;",
    "Or without NOT NULL, which comes when every row has a value and every release writes one:",
    "  ALTER TABLE {table} ADD COLUMN {column} {type};",
    "  -- in a later file, once every release writes {column}, or a trigger does:",
    "{fill}",
    "{laterNotNull}",
  ],
  "altering-domain": [
    "Blocks writes to every table with a column of the domain '{domain}' while all their rows are checked",
    "Safe way: a CHECK on each table, NOT VALID, then VALIDATE CONSTRAINT in a later file",
    "{orNotValid}",
  ],
  "attach-partition-scans": [
    "Blocks reads and writes of '{partition}' while every row is checked, unless a validated CHECK proves that the rows belong to the partition",
    "Safe way: a CHECK that has the same condition as the bounds, validated without blocking:",
    "{checkBounds}",
  ],
  "attach-partition-scans: DEFAULT": [
    "Blocks reads and writes of '{table}' while every row of its DEFAULT partition '{partition}' is checked, unless a validated CHECK proves that no row belongs to the new partition",
    "Safe way, as long as no row comes that is in the new bounds: a CHECK that excludes them, validated without blocking:",
    "{checkBounds}",
  ],
  "breaking-replication":
    "UPDATE and DELETE statements on '{table}' fail as long as a publication contains it",
  "changing-column-type": [
    "Changing the type rewrites table '{table}' and its indexes, blocking reads and writes{unless}",
    ...SECOND_COLUMN,
  ],
  "changing-column-type: CHECK": [
    "The CHECK '{name}' is validated for every row of '{table}' again, blocking reads and writes",
    "Safe way: drop it, then add it again and validate it without blocking:",
    "  ALTER TABLE {table} DROP CONSTRAINT {quoted};",
    "  {statement};",
    "  ALTER TABLE {table} ADD CONSTRAINT {quoted} CHECK (…) NOT VALID;",
    "  -- in a later file:",
    "  ALTER TABLE {table} VALIDATE CONSTRAINT {quoted};",
  ],
  "changing-column-type: index": [
    "The index '{name}' of '{table}', which has an expression or a WHERE, is rebuilt, blocking reads and writes",
    "Safe way, if it is not UNIQUE: drop the index first, in a file that begins with '-- irori: no-transaction':",
    "  DROP INDEX CONCURRENTLY {quoted};",
    "  {statement};",
    "  CREATE INDEX CONCURRENTLY {quoted} ON {table} (…);",
  ],
  "changing-column-type: CASCADE":
    "Rewrites every table of the type '{type}', blocking reads and writes",
  "changing-column-type: copy": COPY,
  "constraint-missing-not-valid":
    "Adding {what} scans table '{table}', blocking reads and writes\n{safeWay}",
  "delete-without-where":
    "Deletes every row of '{table}' in one transaction and locks them until it ends\n{safeWay}",
  "disabling-triggers":
    "Rows that break the foreign keys of '{table}' are accepted until its triggers are enabled, and stay",
  "disallowed-unique-constraint":
    "Adding a UNIQUE {what} builds an index on table '{table}', blocking reads and writes\n{safeWay}",
  "drop-column": [
    DROPPED,
    "Safe way: first {nullable}a release that does not use the column, then this file",
  ],
  "drop-column: NOT NULL": [
    DROPPED,
    "Safe way: first, in a file of its own{unless}:",
    "  ALTER TABLE {table} ALTER COLUMN {quoted} DROP NOT NULL;",
    "  -- in a later file, once no release uses {quoted}:",
    "  -- irori: allow drop-column: no release uses it",
    "  ALTER TABLE {table} DROP COLUMN {quoted};",
  ],
  "drop-column: attribute": "Deletes the data of '{column}' in every table of the type '{type}'",
  "drop-column: CASCADE": [
    "CASCADE drops every column that depends on '{type}', with its data",
    "Safe way: drop each of these columns by name first, then run this without CASCADE",
  ],
  "drop-database": "Deletes the whole database '{database}'",
  "drop-table": [
    "Deletes the data of '{table}', and an application that still uses it fails{also}",
    ...RENAME_FIRST,
  ],
  "drop-table: view": ["An application that still reads '{table}' fails", ...RENAME_FIRST],
  "drop-table: unknown name": "Deletes the data of a table",
  "drop-table: schema": "Drops all tables of the schema '{schema}', if it has any",
  "drop-table: OWNED": "Drops everything the role owns, including tables and data",
  "enabling-row-security": [
    "Hides all rows of '{table}' from every role except its owner and rejects new ones: the table has no policy",
    "Safe way: CREATE POLICY in the same file",
  ],
  "hiding-rows": "Applications that read '{table}' no longer see the rows of '{partition}'",
  "ignored-pragma": [
    "D1 ignores PRAGMA foreign_keys: foreign keys stay enforced, and dropping a table deletes the rows that refer to it with ON DELETE CASCADE",
    "A run refuses this file where there are such rows. Safe way: change the table without dropping it",
  ],
  "locks-add-up": [
    "The lock on '{table}' of line {line} blocks {blocked} until the file ends, and this statement {does}",
    "Safe way: move this statement and the following ones to another file",
  ],
  "locks-add-up: VALIDATE": [
    "Blocks {blocked} '{table}' while every row is checked: VALIDATE CONSTRAINT keeps the lock of the other actions",
    "Safe way: VALIDATE CONSTRAINT in a later file",
  ],
  "renaming-column": [RENAMED, ...SECOND_COLUMN],
  "renaming-column: words": [
    RENAMED,
    "Safe way: a second column that the application or a trigger writes too, until no release uses the old one",
  ],
  "renaming-table": [
    "An application that still uses '{table}' fails{unless}",
    "Safe way: a view {place}, with the grants of the table, until no release uses it:",
    "  -- irori: allow renaming-table: a view has the old name",
    "  {statement};",
    "  CREATE VIEW {table} AS SELECT * FROM {renamed};",
  ],
  "renaming-table: schema": "An application that still uses the schema '{schema}' fails",
  "replacing-statements": "The rule replaces the statements of applications on '{table}'",
  "replacing-table":
    "The table that replaces '{table}' takes over none of its grants, triggers, policies and indexes, and no foreign key that references it",
  "require-concurrent-index-creation": [
    "Blocks writes to '{table}' while the index is built",
    NO_TRANSACTION,
    "{concurrently}",
  ],
  "require-concurrent-index-creation: partitioned": [
    "Blocks writes to '{table}' and its partitions while the indexes are built",
    "Safe way: an index on the parent only, then one on each partition, attached to it:",
    "{onlyParent}",
    "  -- in a file that begins with '-- irori: no-transaction', for each partition:",
    "  CREATE INDEX CONCURRENTLY {index}_1 ON <partition of {table}> {columns};",
    "  ALTER INDEX {index} ATTACH PARTITION {index}_1;",
  ],
  "require-concurrent-index-creation: copy": COPY_ALWAYS,
  "require-concurrent-refresh": [
    "Blocks reads of '{table}' during the refresh",
    "Safe way, if the view has a unique index that covers all rows:",
    "  REFRESH MATERIALIZED VIEW CONCURRENTLY {table};",
  ],
  "require-concurrent-reindex":
    "Blocks reads and writes of {target} while its indexes are rebuilt: a query locks every index of a table\n{safeWay}",
  "restricting-inserts": "INSERT statements that {verb} '{column}' of '{table}' fail",
  "revoking-privileges": "Applications that have these privileges only through {roles} fail",
  "rewriting-table": [
    "{what} rewrites {target}, blocking reads and writes",
    "It cannot run without blocking: choose a time of low traffic{or}",
  ],
  "rewriting-table: OPTIMIZE": "OPTIMIZE TABLE rewrites table '{table}'",
  "rewriting-table: index": [
    "SET TABLESPACE copies the index '{index}', blocking reads and writes of its table: a query locks every index of a table",
    NO_TRANSACTION,
    "  REINDEX (CONCURRENTLY, TABLESPACE {tablespace}) INDEX {index};",
  ],
  "rewriting-table: copy": COPY,
  "rewriting-table: always: copy": COPY_ALWAYS,
  "shortening-name": "PostgreSQL cuts the name '{name}' after 63 bytes: two names may become one",
  "truncate-table": "Deletes all rows of {what}'{table}'{more}",
  "unchecked-statement":
    "Only the keywords were checked: the PostgreSQL grammar (libpg-query) rejects this statement, or it has more than 50 kB",
  "update-without-where":
    "Updates every row of '{table}' in one transaction and locks them until it ends\n{safeWay}",
} as const;

export type FindingName = keyof typeof FINDINGS;
type RuleOf<Name> = Name extends `${infer Rule}: ${string}` ? Rule : Name;
export type Rule = RuleOf<FindingName>;
type Placeholders<Text> = Text extends readonly (infer Line)[] ? Placeholders<Line>
  : Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Placeholders<Rest>
  : never;
type Value = string | readonly string[];
export type ValuesOf<Name extends FindingName> = Readonly<
  Record<Placeholders<(typeof FINDINGS)[Name]>, Value>
>;

export const RULES: readonly string[] = [
  ...new Set(Object.keys(FINDINGS).map((name) => name.split(":")[0]!)),
];

export function wordsOf<Name extends FindingName>(
  name: Name,
  values: ValuesOf<Name>,
): { readonly rule: Rule; readonly message: string; readonly advice: readonly string[] } {
  const known: Readonly<Record<string, Value>> = values;
  const filled = (text: string) =>
    text.replace(/\{(\w+)\}/g, (_, key: string) => String(known[key]));
  const [message = "", ...advice] = [FINDINGS[name]].flat().join("\n").split("\n");
  return {
    rule: name.split(":")[0] as Rule,
    message: filled(message),
    advice: advice.flatMap((line) => known[/^\{(\w+)\}$/.exec(line)?.[1] ?? ""] ?? filled(line)),
  };
}

export function inBatches(statement: string): readonly string[] {
  return [
    "  -- in a file such as 0002_backfill.sql, which 'irori backfill run' runs, by a NOT NULL unique key;",
    "  -- a migration that needs it begins with '-- irori: after 0002_backfill.sql':",
    "  -- irori: batches of 5000 by id",
    `  ${statement};`,
  ];
}

export function allInBatches(verb: "update" | "delete", rows: string): readonly string[] {
  return inBatches(
    `${verb === "update" ? `UPDATE ${rows} SET …` : `DELETE FROM ${rows}`} WHERE \${irori.batch}`,
  );
}
