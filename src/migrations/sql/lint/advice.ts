import { identifier } from "../files/quoting.ts";
import { type Constraint, type RangeVar, textsOf } from "./tree.ts";

/** Heads of what the safe way consists of. */
export const NO_TRANSACTION = "Safe way, in a file that begins with '-- irori: no-transaction':";
export const LATER = "-- in a later file:";
const BATCH = "-- in a file that begins with '-- irori: no-transaction':";

/** A name as PostgreSQL has to read it. */
export function quoteName(name: string): string {
  const isPlain = /^[a-z_][a-z0-9_$]*$/.test(name) && !RESERVED.has(name);
  return isPlain ? name : identifier(name);
}

/** The name of a table as PostgreSQL has to read it. */
export function nameOf({ schemaname, relname }: RangeVar): string {
  return [schemaname, relname].flatMap((name) => name === undefined ? [] : quoteName(name))
    .join(".");
}

/** Fills rows in batches, each in its own transaction. */
export function inBatches(table: string, set: string, where: string): readonly string[] {
  const rows = `SELECT ctid FROM ${table} WHERE ${where} LIMIT 10000`;
  // Rows of other partitions may be at the same place.
  const change = `UPDATE ${table} SET ${set} WHERE ctid = ANY (ARRAY(${rows})) AND ${where}`;
  return [`  ${BATCH}`, ...batchLoop(change)];
}

/** A statement, again until it finds no row, each time in a transaction of its own. */
export function batchLoop(change: string): readonly string[] {
  return [
    "  DO $$ BEGIN LOOP",
    `    ${change};`,
    "    EXIT WHEN NOT FOUND; COMMIT;",
    "  END LOOP; END $$;",
  ];
}

/** The finding for `UPDATE` and `DELETE` without `WHERE`, for every kind of database. */
export function everyRow(verb: "update" | "delete", name: string) {
  const rows = `${verb === "update" ? "Updates" : "Deletes"} every row of '${name}'`;
  const message = `${rows} in one transaction and locks them until it ends`;
  return { rule: `${verb}-without-where`, message } as const;
}

/** How a column becomes NOT NULL without a scan under a lock. */
export function notNullAdvice(table: string, column: string, name: string): readonly string[] {
  const constraint = quoteName(`${name}_not_null`);
  return [
    `  ALTER TABLE ${table} ADD CONSTRAINT ${constraint} CHECK (${column} IS NOT NULL) NOT VALID;`,
    `  ${LATER}`,
    `  ALTER TABLE ${table} VALIDATE CONSTRAINT ${constraint};`,
    `  ${LATER}`,
    `  ALTER TABLE ${table} ALTER COLUMN ${column} SET NOT NULL;`,
    `  ALTER TABLE ${table} DROP CONSTRAINT ${constraint};`,
  ];
}

/** A constraint that holds for new rows at once, and is validated for existing rows later. */
export function notValidAdvice(table: string, name: string, definition: string): readonly string[] {
  return [
    "Safe way: check new rows at once and existing rows later, without blocking:",
    `  ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition} NOT VALID;`,
    `  ${LATER}`,
    `  ALTER TABLE ${table} VALIDATE CONSTRAINT ${name};`,
  ];
}

/** An index that is built without blocking, and the constraint that uses it. */
export function usingIndexAdvice(
  table: string,
  name: string,
  columns: string,
  kind: "UNIQUE" | "PRIMARY KEY",
  { including = [], nulls_not_distinct, deferrable, initdeferred }: Partial<Constraint> = {},
): readonly string[] {
  const included = textsOf(including).map(quoteName).join(", ");
  const index = [
    columns,
    ...included === "" ? [] : [`INCLUDE (${included})`],
    ...nulls_not_distinct ? ["NULLS NOT DISTINCT"] : [],
  ].join(" ");
  const deferred = deferrable ? ` DEFERRABLE${initdeferred ? " INITIALLY DEFERRED" : ""}` : "";
  return [
    NO_TRANSACTION,
    `  CREATE UNIQUE INDEX CONCURRENTLY ${name} ON ${table} ${index};`,
    `  ${LATER}`,
    `  ALTER TABLE ${table} ADD CONSTRAINT ${name} ${kind} USING INDEX ${name}${deferred};`,
  ];
}

/** PostgreSQL 18, "SQL Key Words": the reserved ones. */
const RESERVED = new Set(
  ("all analyse analyze and any array as asc asymmetric both case cast check collate column " +
    "constraint create current_catalog current_date current_role current_time current_timestamp " +
    "current_user default deferrable desc distinct do else end except false fetch for foreign from " +
    "grant group having in initially intersect into lateral leading limit localtime localtimestamp " +
    "not null offset on only or order placing primary references returning select session_user some " +
    "symmetric system_user table then to trailing true union unique user using variadic when where " +
    "window with").split(" "),
);
