import { identifier } from "../../../migrations/sql/files/quoting.ts";
import { inBatches, NO_TRANSACTION } from "../rules.ts";
import type { Table } from "../schema.ts";
import type { ReportTable, Subject, Word } from "../statement.ts";
import { type Fields, type RangeVar, textsIn } from "./tree.ts";

export interface Action {
  readonly command: Fields;
  readonly parts: readonly Word[];
  readonly at: number;
  readonly relation: RangeVar;
  readonly table: Table;
  readonly name: string;
  readonly isNew: boolean;
  readonly column: string;
  readonly report: ReportTable;
  readonly subject: Subject;
}

export type Named = Pick<Action, "table" | "name">;

const LATER = "  -- in a later file:";

export function quoteName(name: string): string {
  return /^[a-z_][a-z0-9_$]*$/.test(name) && !RESERVED.has(name) ? name : identifier(name);
}

export function qualifiedName({ schemaname, relname }: RangeVar): string {
  return [schemaname, relname].flatMap((name) => name === undefined ? [] : quoteName(name))
    .join(".");
}

export function newName(...words: readonly string[]): string {
  return words.join("_").slice(0, 55);
}

/** Where a table is named, in UTF-16 units: the grammar counts bytes of UTF-8. */
export function offsetOf({ location = 0 }: RangeVar, { text }: Subject): number {
  const before = new TextEncoder().encode(text).subarray(0, location);
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(before).length;
}

export function withInserted({ source }: Subject, at: number, inserted: string): readonly string[] {
  return `${source(0, at)}${inserted}${source(at)};`.split(/\r?\n/).map((line) => `  ${line}`);
}

export function fillInBatches(table: string, set: string, where: string): readonly string[] {
  return inBatches(`UPDATE ${table} SET ${set} WHERE \${irori.batch} AND ${where}`);
}

export function filling({ table, name }: Named, column: string, value: string) {
  const filled = quoteName(column);
  const where = `${filled} IS NULL AND ${value} IS NOT NULL`;
  const filler = quoteName(`${newName(table.name, column)}_fill`);
  const row = quoteName(table.name);
  return { filler, filled, value, row, fill: fillInBatches(name, `${filled} = ${value}`, where) };
}

export function addAndValidate(table: string, name: string, definition: string): readonly string[] {
  return [
    `  ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition} NOT VALID;`,
    LATER,
    `  ALTER TABLE ${table} VALIDATE CONSTRAINT ${name};`,
  ];
}

/** A `CHECK` that lets a statement do without a scan; it is dropped behind it. */
export function provedBy(
  table: string,
  check: string,
  condition: string,
  statement: string,
): readonly string[] {
  return [
    ...addAndValidate(table, check, `CHECK (${condition})`),
    LATER,
    `  ${statement};`,
    `  ALTER TABLE ${table} DROP CONSTRAINT ${check};`,
  ];
}

/** In which a second column, the copy, takes the place of another one. */
export function secondColumn(action: Named, column: string, copy: string, value: string) {
  const { notNull } = action.table.columns.get(column) ?? {};
  const quoted = quoteName(column);
  const when = notNull ? "" : `, if ${quoted} is NOT NULL`;
  const laterNotNull = notNull === false ? [] : notNullAdvice(action, copy, when);
  return { ...filling(action, copy, value), table: action.name, column, quoted, laterNotNull };
}

export function notNullAdvice(
  { table, name }: Named,
  column: string,
  when = ", once all rows are filled",
): readonly string[] {
  const check = quoteName(`${newName(table.name, column)}_not_null`);
  const quoted = quoteName(column);
  const statement = `ALTER TABLE ${name} ALTER COLUMN ${quoted} SET NOT NULL`;
  return [
    `  -- in a later file${when}:`,
    ...provedBy(name, check, `${quoted} IS NOT NULL`, statement),
  ];
}

/** An index that is built without blocking, and the constraint that uses it. */
export function usingIndexAdvice(
  table: string,
  name: string,
  columns: string,
  kind: "UNIQUE" | "PRIMARY KEY",
  { including, nulls_not_distinct, deferrable, initdeferred }: Fields,
): readonly string[] {
  const included = textsIn(including).map(quoteName).join(", ");
  const options = `${included && ` INCLUDE (${included})`}${
    nulls_not_distinct ? " NULLS NOT DISTINCT" : ""
  }`;
  const deferred = deferrable ? ` DEFERRABLE${initdeferred ? " INITIALLY DEFERRED" : ""}` : "";
  return [
    NO_TRANSACTION,
    `  CREATE UNIQUE INDEX CONCURRENTLY ${name} ON ${table} ${columns}${options};`,
    LATER,
    `  ALTER TABLE ${table} ADD CONSTRAINT ${name} ${kind} USING INDEX ${name}${deferred};`,
  ];
}

const RESERVED = new Set(
  ("all analyse analyze and any array as asc asymmetric both case cast check collate column " +
    "constraint create current_catalog current_date current_role current_time current_timestamp " +
    "current_user default deferrable desc distinct do else end except false fetch for foreign from " +
    "grant group having in initially intersect into lateral leading limit localtime localtimestamp " +
    "not null offset on only or order placing primary references returning select session_user some " +
    "symmetric system_user table then to trailing true union unique user using variadic when where " +
    "window with").split(" "),
);
