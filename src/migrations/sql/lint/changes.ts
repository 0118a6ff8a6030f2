import { everyRow, nameOf } from "./advice.ts";
import { type Effect, NONE, offsetOf } from "./effects.ts";
import { isAlways } from "./statement.ts";
import type { Subject } from "./subject.ts";
import { fieldsOf, nameIn, type Node, nodesIn, type RangeVar } from "./tree.ts";

/** `INSERT`. */
export function insert(
  fields: { selectStmt?: Node },
  subject: Subject,
): Effect {
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
  if (schema.isNew(table)) return NONE;
  const at = startOf(verb, relation, subject);
  const behind = subject.parts.filter(({ start }) => start >= at);
  if (whereClause === undefined || isAlways(behind)) {
    const name = nameOf(relation);
    const isUpdate = verb === "update";
    subject.report(at, {
      ...everyRow(verb, name),
      table,
      advice: [
        "Safe way, in a file that begins with '-- irori: no-transaction', again until no row is left:",
        isUpdate
          ? `  UPDATE ${name} SET … WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${name} WHERE … LIMIT 10000));`
          : `  DELETE FROM ${name} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${name} LIMIT 10000));`,
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
