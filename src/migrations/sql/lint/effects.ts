import type { TableName } from "./rules.ts";
import type { Table } from "./schema.ts";
import type { Subject } from "./subject.ts";
import { fieldsOf, nameIn, type Node, nodesIn, type RangeVar } from "./tree.ts";

/** What a statement locks: nothing worth telling, writes, or reads and writes. */
export type Strength = "none" | "writes" | "reads";

/** What a statement does to tables that others use, as far as it matters for the statements behind it. */
export interface Effect {
  /** Tables that are locked until the end of the transaction. */
  readonly locks: readonly TableLock[];
  /** The table whose rows it works through, or `true` where that is not one. */
  readonly works?: Table | true;
}

/** A table that is locked. */
export interface TableLock {
  readonly table: Table;
  readonly strength: Strength;
  /** Whether it is dropped: then its lock does not matter. */
  readonly isGone?: boolean;
}

/** Nothing that others notice. */
export const NONE: Effect = { locks: [] };

/** Locks a table. */
export function locking(
  relation: RangeVar,
  subject: Subject,
  strength: Strength = "reads",
): Effect {
  return lockingAll([relation], subject, strength);
}

/** Locks tables, except for those that no other session uses yet. */
export function lockingAll(
  relations: readonly RangeVar[],
  { schema }: Subject,
  strength: Strength,
): Effect {
  const tables = relations.map((relation) => schema.table(nameIn(relation)));
  return {
    locks: tables.filter((table) => !schema.isNew(table)).map((table) => ({ table, strength })),
  };
}

/** The tables of a list. */
export function rangesIn(nodes: readonly Node[] = []): readonly RangeVar[] {
  return nodes.flatMap((node) => fieldsOf<RangeVar>(node, "RangeVar") ?? []);
}

/** The tables that are named anywhere in a tree. */
export function rangesBelow(tree: unknown): readonly TableName[] {
  return [...nodesIn(tree)].flatMap(([kind, range]) => {
    return kind === "RangeVar" ? nameIn(range as unknown as RangeVar) : [];
  });
}

/** Whether an option in parentheses is on. */
export function hasOption(options: readonly Node[] = [], name: string): boolean {
  return options.some((node) => {
    const option = fieldsOf<{ defname?: string; arg?: Node }>(node, "DefElem");
    if (option?.defname !== name) return false;
    const value = JSON.stringify(option.arg ?? true);
    return !/"(?:false|off|0)"|"boolval":\{\}|:\{"ival":\{\}/.test(value);
  });
}

/** Where a table is named, in UTF-16 units: the grammar counts bytes of UTF-8. */
export function offsetOf({ location = 0 }: RangeVar, { text }: Subject): number {
  let [bytes, at] = [0, 0];
  while (bytes < location && at < text.length) {
    const point = text.codePointAt(at) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    at += point < 0x10000 ? 1 : 2;
  }
  return at;
}

/** Lines of SQL, as advice has them. */
export function indented(sql: string): readonly string[] {
  return sql.split(/\r?\n/).map((line) => `  ${line}`);
}
