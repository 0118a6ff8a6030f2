import { nameOf, quoteName } from "./advice.ts";
import { type Effect, lockingAll, NONE, offsetOf, rangesIn, type TableLock } from "./effects.ts";
import type { Subject } from "./subject.ts";
import { type DropStmt, fieldsOf, nameIn, type Node, type RenameStmt, textsOf } from "./tree.ts";

/** `RENAME` of a table or a column. */
export function rename(fields: RenameStmt, subject: Subject): Effect {
  const { renameType, relationType, relation, subname = "", newname = "" } = fields;
  if (relation === undefined) return NONE;
  const isTable = renameType === "OBJECT_TABLE";
  const isColumn = renameType === "OBJECT_COLUMN" && relationType === "OBJECT_TABLE";
  if (!isTable && !isColumn) return NONE;
  const { schema } = subject;
  const table = schema.table(nameIn(relation));
  const isNew = schema.isNew(table);
  const name = nameOf(relation);
  const at = subject.parts.find(({ word }) => word === "RENAME")?.start ?? 0;
  if (isTable) {
    const { schemaname } = relation;
    const newName = [...schemaname === undefined ? [] : [schemaname], newname].map(quoteName);
    schema.rename(nameIn(relation), { name: newname });
    if (!isNew) {
      subject.report(at, {
        rule: "renaming-table",
        message: `An application that still uses '${name}' fails`,
        table,
        advice: [
          "Safe way: a view under the old name, until no release uses that:",
          `  ${subject.source(0)};`,
          `  CREATE VIEW ${name} AS SELECT * FROM ${newName.join(".")};`,
        ],
      });
    }
  } else {
    const column = table.columns.get(subname);
    if (column) table.columns.set(newname, column);
    table.columns.delete(subname);
    if (!isNew) {
      subject.report(at, {
        rule: "renaming-column",
        message: `An application that still uses '${subname}' of '${name}' fails`,
        table,
        advice: [
          "Safe way: another column, which the application or a trigger writes too; once no release uses the old one:",
          `  ALTER TABLE ${name} DROP COLUMN ${quoteName(subname)};`,
        ],
      });
    }
  }
  return isNew ? NONE : { locks: [{ table, strength: "reads" }] };
}

/** `DROP`. */
export function drop({ objects = [], removeType, concurrent }: DropStmt, subject: Subject): Effect {
  const { schema } = subject;
  const names = objects.map((node) => {
    const list = fieldsOf<{ items?: readonly Node[] }>(node, "List");
    return list ? textsOf(list.items) : textsOf([node]);
  });
  const isRelation = /^OBJECT_(?:TABLE|MATVIEW|FOREIGN_TABLE|VIEW)$/.test(removeType);
  const locks: TableLock[] = [];
  for (const path of names) {
    const name = path.at(-1) ?? "";
    const owner = path.at(-2);
    if (removeType === "OBJECT_SCHEMA") {
      subject.report(0, {
        rule: "drop-table",
        message: `All tables of the schema '${name}' are gone, where there are any`,
      });
    } else if (isRelation) {
      const found = { ...(owner !== undefined && { schema: owner }), name };
      const table = schema.table(found);
      const isNew = schema.isNew(table);
      schema.drop(found);
      if (isNew || removeType === "OBJECT_VIEW" || removeType === "OBJECT_MATVIEW") continue;
      const quoted = path.slice(-2).map(quoteName).join(".");
      locks.push({ table, strength: "reads", isGone: true });
      subject.report(0, {
        rule: "drop-table",
        message:
          `The data of '${quoted}' is gone, and an application that still reads it fails; tables ` +
          "that it references are locked, too",
        table,
        advice: [
          "Safe way: first a release that does not use it, then this file; before that, for a time:",
          `  ALTER TABLE ${quoted} RENAME TO ${quoteName(`${name}_old`)};`,
        ],
      });
    } else if (removeType === "OBJECT_INDEX" && !concurrent) {
      const table = schema.index(name)?.table;
      if (table && !schema.isNew(table)) locks.push({ table, strength: "reads" });
    } else if (/^OBJECT_(?:TRIGGER|POLICY|RULE)$/.test(removeType)) {
      const of = path.at(-3);
      const table = schema.table({
        ...(of !== undefined && { schema: of }),
        name: owner ?? "",
      });
      if (!schema.isNew(table)) locks.push({ table, strength: "reads" });
    }
  }
  return { locks };
}

/** `TRUNCATE`. */
export function truncate(
  { relations, behavior }: { relations?: readonly Node[]; behavior?: string },
  subject: Subject,
): Effect {
  const ranges = rangesIn(relations);
  const others = behavior === "DROP_CASCADE"
    ? ", and those of every table that references it, too"
    : "";
  for (const relation of ranges) {
    const table = subject.schema.table(nameIn(relation));
    if (subject.schema.isNew(table)) continue;
    subject.report(offsetOf(relation, subject), {
      rule: "truncate-table",
      message: `All rows of '${nameOf(relation)}' are gone${others}`,
      table,
    });
  }
  return lockingAll(ranges, subject, "reads");
}
