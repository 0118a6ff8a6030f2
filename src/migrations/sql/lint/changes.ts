import { batchLoop, everyRow, nameOf, NO_TRANSACTION } from "./advice.ts";
import { type Effect, NONE, offsetOf, rangesBelow } from "./effects.ts";
import { isLimited, nameAt } from "./statement.ts";
import type { Subject } from "./subject.ts";
import { fieldsOf, nameIn, type Node, nodesIn, type RangeVar } from "./tree.ts";

/** `INSERT`. */
export function insert(
  fields: { relation?: RangeVar; selectStmt?: Node },
  subject: Subject,
): Effect {
  if (fields.relation) subject.schema.fill(nameIn(fields.relation), rangesBelow(fields.selectStmt));
  const changes = inCommonTables(fields, subject);
  const source = fieldsOf<{ fromClause?: unknown }>(fields.selectStmt, "SelectStmt");
  return source?.fromClause ? { ...changes, works: true } : changes;
}

/** `WITH gone AS (DELETE …) …`. */
export function inCommonTables(fields: object, subject: Subject): Effect {
  let works: Effect["works"];
  for (const [kind, inner] of nodesIn((fields as { withClause?: unknown }).withClause)) {
    if (kind === "UpdateStmt") works = change("update", inner, subject).works ?? works;
    if (kind === "DeleteStmt") works = change("delete", inner, subject).works ?? works;
  }
  return { locks: [], ...(works && { works }) };
}

/**
 * `UPDATE` or `DELETE` with a condition: most of them, of which nothing is found. They may be many, and long.
 *
 * @returns `undefined` for other statements
 */
export function limitedChange({ parts, rest, schema }: Subject): Effect | undefined {
  const [first, second, third] = parts;
  if (first?.word !== "UPDATE" && first?.word !== "DELETE") return undefined;
  const at = first.word === "DELETE" ? 2 : 1;
  const isOnly = (at === 2 ? third : second)?.word === "ONLY";
  const name = nameAt(parts, isOnly ? at + 1 : at, (text) => text.toLowerCase());
  const table = name && schema.table(name);
  const isNeverNull = (column: string) =>
    table !== undefined && schema.column(table, column).notNull === true;
  if (!isLimited(parts, rest, ["WHERE"], isNeverNull)) return undefined;
  return table && schema.isNew(table) ? NONE : { locks: [], works: table ?? true };
}

/** `UPDATE` or `DELETE`. */
export function change(
  verb: "update" | "delete",
  fields: {
    relation?: RangeVar;
    whereClause?: unknown;
    fromClause?: unknown;
    usingClause?: unknown;
    withClause?: unknown;
  },
  subject: Subject,
): Effect {
  const { relation, whereClause } = fields;
  if (relation === undefined) return NONE;
  inCommonTables(fields, subject);
  const { schema } = subject;
  const table = schema.table(nameIn(relation));
  // The rows of a view are those of other tables.
  if (schema.isNew(table) && !table.isView) return NONE;
  const at = startOf(verb, relation, subject);
  const behind = subject.parts.filter(({ start }) => start >= at);
  const isNeverNull = (column: string) => schema.column(table, column).notNull === true;
  if (whereClause === undefined || !isLimited(behind, "", ["WHERE"], isNeverNull)) {
    const name = nameOf(relation);
    const isUpdate = verb === "update";
    const rows = relation.inh === true ? name : `ONLY ${name}`;
    // What it is part of, or joined with, would be lost.
    const isPlain = subject.parts[0]?.start === at && !fields.fromClause && !fields.usingClause;
    subject.report(at, {
      ...everyRow(verb, name),
      table,
      advice: isPlain
        ? [
          NO_TRANSACTION,
          ...batchLoop(
            isUpdate
              ? `UPDATE ${rows} SET … WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${rows} WHERE … LIMIT 10000)) AND …`
              : `DELETE FROM ${rows} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${rows} LIMIT 10000))`,
          ),
        ]
        : [
          "Safe way: the same statement for a few thousand rows at a time, each in its own transaction",
        ],
    });
  }
  return { locks: [], works: table };
}

/** Where the verb stands that belongs to a table; `WITH` may stand before it. */
function startOf(verb: string, relation: RangeVar, subject: Subject): number {
  const end = offsetOf(relation, subject);
  const before = subject.parts.findLast(({ word, isQuoted, start }) => {
    return !isQuoted && start < end && word === verb.toUpperCase();
  });
  return before?.start ?? 0;
}
