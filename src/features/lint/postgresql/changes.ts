import { isLimited, nameAt, type Subject } from "../statement.ts";
import { allInBatches } from "../rules.ts";
import { offsetOf, qualifiedName } from "./advice.ts";
import { type Fields, fieldsOf, nameIn, nodesIn, rangesBelow, type RangeVar } from "./tree.ts";

export function insert(fields: Fields, subject: Subject): void {
  const { relation, selectStmt } = fields;
  if (relation) subject.schema.fill(nameIn(relation), rangesBelow(selectStmt));
  inCommonTables(fields, subject);
  if (fieldsOf(selectStmt, "SelectStmt")?.fromClause) subject.work();
}

/** `WITH removed AS (DELETE …) …`. */
export function inCommonTables({ withClause }: Fields, subject: Subject): void {
  for (const [kind, inner] of nodesIn(withClause)) {
    if (kind === "UpdateStmt") change("update", inner, subject);
    if (kind === "DeleteStmt") change("delete", inner, subject);
  }
}

/** Most changes have a condition; there may be many, and long ones: whether it is one of them. */
export function limitedChange({ parts, rest, schema, work }: Subject): boolean {
  const verb = parts[0]?.word;
  if (verb !== "UPDATE" && verb !== "DELETE") return false;
  const at = verb === "DELETE" ? 2 : 1;
  const name = nameAt(parts, parts[at]?.word === "ONLY" ? at + 1 : at, (text) => {
    return text.toLowerCase();
  });
  const table = name && schema.table(name);
  const isNeverNull = (column: string) =>
    table !== undefined && schema.column(table, column).notNull === true;
  if (!isLimited(parts, rest, ["WHERE"], isNeverNull)) return false;
  if (!table || !schema.isNew(table)) work();
  return true;
}

export function change(verb: "update" | "delete", fields: Fields, subject: Subject): void {
  const { relation, whereClause } = fields;
  if (relation === undefined) return;
  // Only its own table decides whether it works through rows.
  inCommonTables(fields, { ...subject, work() {} });
  const { schema, parts, report, work } = subject;
  const table = schema.table(nameIn(relation));
  // The rows of a view are those of other tables.
  if (schema.isNew(table) && !table.isView) return;
  work();
  const at = startOf(verb, relation, subject);
  const behind = parts.filter(({ start }) => start >= at);
  const isNeverNull = (column: string) => schema.column(table, column).notNull === true;
  if (whereClause && isLimited(behind, "", ["WHERE"], isNeverNull)) return;
  // A rewrite would lose the statement around it, or the tables that it joins.
  const isPlain = parts[0]?.start === at && !fields.fromClause && !fields.usingClause;
  const only = relation.inh === true ? "" : "ONLY ";
  const safeWay = isPlain ? ["Safe way:", ...allInBatches(verb, only + qualifiedName(relation))] : [
    "Safe way: the same statement for a few thousand rows at a time, each in its own transaction",
  ];
  report(at, `${verb}-without-where`, { table: qualifiedName(relation), safeWay }, table);
}

/** Where the verb stands that belongs to a table; `WITH` may stand before it. */
function startOf(verb: string, relation: RangeVar, subject: Subject): number {
  const end = offsetOf(relation, subject);
  return subject.parts.findLast(({ word, isQuoted, start }) => {
    return !isQuoted && start < end && word === verb.toUpperCase();
  })?.start ?? 0;
}
