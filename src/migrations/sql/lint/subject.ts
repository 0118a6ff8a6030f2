import type { Finding, TableName } from "./rules.ts";
import type { Schema, Table } from "./schema.ts";
import type { Part } from "./statement.ts";

/** A statement that is looked at, and where to say what is found. */
export interface Subject {
  /** The statement as it is sent. */
  readonly text: string;
  readonly parts: readonly Part[];
  /** What the parts leave out of a statement that is too long. */
  readonly rest: string;
  readonly schema: Schema;
  /** What the file has between two positions of the statement: placeholders instead of their values. */
  source(start: number, end?: number): string;
  /** @param at position in the statement, in UTF-16 units */
  report(at: number, finding: Report): void;
}

/** What is found: see {@linkcode Finding}. */
export type Report = Pick<Finding, "rule" | "message"> & {
  readonly advice?: readonly string[];
  readonly table?: Table;
};

/** How a table is called when the database is asked about it. */
export function tableNameOf({ schema, name }: Table): TableName {
  return { schema, name };
}
