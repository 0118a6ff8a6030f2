import { nameOf, quoteName } from "./advice.ts";
import { type Effect, lockingAll, NONE, offsetOf, rangesIn, type TableLock } from "./effects.ts";
import type { Subject } from "./subject.ts";
import {
  type DropStmt,
  fieldsOf,
  nameIn,
  nameOfPath,
  type Node,
  type RangeVar,
  type RenameStmt,
  textsOf,
} from "./tree.ts";

/** What others read by its name. */
const READ = /^OBJECT_(?:TABLE|VIEW|MATVIEW|FOREIGN_TABLE)$/;

/** `RENAME` of a table, a view, a schema or a column. */
export function rename(fields: RenameStmt, subject: Subject): Effect {
  const { renameType, relationType = "", relation, subname = "", newname = "" } = fields;
  if (renameType === "OBJECT_SCHEMA") {
    subject.report(0, {
      rule: "renaming-table",
      message: `An application that still uses the schema '${subname}' fails`,
    });
  }
  if (relation === undefined) return NONE;
  if (renameType === "OBJECT_INDEX") subject.schema.renameIndex(relation.relname, newname);
  const isTable = READ.test(renameType);
  const isColumn = renameType === "OBJECT_COLUMN" && READ.test(relationType);
  if (!isTable && !isColumn) return NONE;
  const { schema } = subject;
  const table = schema.table(nameIn(relation));
  const isNew = schema.isNew(table);
  const name = nameOf(relation);
  const at = subject.parts.find(({ word }) => word === "RENAME")?.start ?? 0;
  if (isTable) {
    const { schemaname } = relation;
    const newName = [...schemaname === undefined ? [] : [schemaname], newname].map(quoteName);
    // An index can be renamed as if it were a table.
    const isIndex = schema.index(nameIn(relation)) !== undefined;
    if (isIndex) schema.renameIndex(relation.relname, newname);
    schema.rename(nameIn(relation), { name: newname });
    if (isIndex) return NONE;
    if (isNew && schema.isNoted("vacated", table.schema, newname)) {
      const message = `The table that replaces '${quoteName(newname)}' takes over none of its ` +
        "grants, triggers, policies and indexes, and no foreign key that references it";
      subject.report(at, { rule: "replacing-table", message });
    }
    if (!isNew) {
      subject.report(at, {
        rule: "renaming-table",
        message: `An application that still uses '${name}' fails`,
        table,
        advice: [
          "Safe way: a view with the old name, until no release uses it:",
          `  ${subject.source(0)};`,
          `  CREATE VIEW ${name} AS SELECT * FROM ${newName.join(".")};`,
        ],
      });
    }
  } else {
    const column = table.columns.get(subname);
    if (column) table.columns.set(newname, column);
    table.columns.delete(subname);
    schema.renameColumn(table, subname, newname);
    if (!isNew) {
      subject.report(at, {
        rule: "renaming-column",
        message: `An application that still uses '${subname}' of '${name}' fails`,
        table,
        advice: [
          "Safe way: a second column that the application or a trigger writes too; once no release uses the old one:",
          `  ALTER TABLE ${name} DROP COLUMN ${quoteName(subname)};`,
        ],
      });
    }
  }
  return isNew ? NONE : { locks: [{ table, strength: "reads" }] };
}

/** `SET SCHEMA`. */
export function setSchema(
  { relation, newschema, objectType }: {
    relation?: RangeVar;
    newschema: string;
    objectType: string;
  },
  subject: Subject,
): Effect {
  if (relation === undefined || !READ.test(objectType)) return NONE;
  const { schema } = subject;
  const table = schema.table(nameIn(relation));
  const isNew = schema.isNew(table);
  schema.rename(nameIn(relation), { schema: newschema });
  if (isNew) return NONE;
  const name = nameOf(relation);
  subject.report(subject.parts.find(({ word }) => word === "SET")?.start ?? 0, {
    rule: "renaming-table",
    message:
      `An application that still uses '${name}' fails, unless '${newschema}' is in its search_path`,
    table,
    advice: [
      "Safe way: a view in the old schema, until no release uses it:",
      `  ${subject.source(0)};`,
      `  CREATE VIEW ${name} AS SELECT * FROM ${
        nameOf({ schemaname: newschema, relname: relation.relname })
      };`,
    ],
  });
  return { locks: [{ table, strength: "reads" }] };
}

/** What columns may be of: `CASCADE` drops them. */
const OF_COLUMNS = /^OBJECT_(?:TYPE|DOMAIN|EXTENSION)$/;

/** `DROP`. */
export function drop(fields: DropStmt, subject: Subject): Effect {
  const { objects = [], removeType, behavior, concurrent, missing_ok } = fields;
  const { schema } = subject;
  const names = objects.map((node) => {
    const list = fieldsOf<{ items?: readonly Node[] }>(node, "List");
    const type = fieldsOf<{ names?: readonly Node[] }>(node, "TypeName");
    return textsOf(list?.items ?? type?.names ?? [node]);
  });
  // It may reach what others have: what the file makes is no exception.
  const isCascade = behavior === "DROP_CASCADE";
  const isRelation = /^OBJECT_(?:TABLE|MATVIEW|FOREIGN_TABLE|VIEW)$/.test(removeType);
  const locks: TableLock[] = [];
  for (const path of names) {
    const name = path.at(-1) ?? "";
    const owner = path.at(-2);
    if (removeType === "OBJECT_SCHEMA") {
      if (schema.isNoted("schema", name) && !isCascade) continue;
      subject.report(0, {
        rule: "drop-table",
        message: `Drops all tables of the schema '${name}', if it has any`,
      });
    } else if (isRelation) {
      const found = { ...(owner !== undefined && { schema: owner }), name };
      const table = schema.table(found);
      const isNew = schema.isNew(table);
      const isMissing = missing_ok && removeType === "OBJECT_TABLE" && schema.isMissing(table);
      schema.drop(found);
      if (isNew && !isCascade || isMissing || removeType === "OBJECT_VIEW") continue;
      const quoted = path.slice(-2).map(quoteName).join(".");
      locks.push({ table, strength: "reads", isGone: true });
      subject.report(0, {
        rule: "drop-table",
        message: removeType === "OBJECT_MATVIEW"
          ? `An application that still reads '${quoted}' fails`
          : `Deletes the data of '${quoted}', and an application that still uses it fails; also ` +
            "locks the tables that it references",
        table,
        advice: [
          "Safe way: first a release that does not use it, then this file. Before that, rename it for a while:",
          `  ALTER TABLE ${quoted} RENAME TO ${quoteName(`${name}_old`)};`,
        ],
      });
    } else if (removeType === "OBJECT_INDEX") {
      const table = concurrent ? undefined : schema.index(nameOfPath(path))?.table;
      schema.dropIndex(name);
      if (table && !schema.isNew(table)) locks.push({ table, strength: "reads" });
    } else if (isCascade && OF_COLUMNS.test(removeType)) {
      subject.report(0, {
        rule: "drop-column",
        message: `CASCADE drops every column that depends on '${name}', with its data`,
        advice: [
          "Safe way: drop each of these columns by name first, then run this without CASCADE",
        ],
      });
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
  const isCascade = behavior === "DROP_CASCADE";
  const others = isCascade ? " and of every table that references it" : "";
  for (const relation of ranges) {
    const table = subject.schema.table(nameIn(relation));
    if (subject.schema.isNew(table) && !isCascade) continue;
    subject.report(offsetOf(relation, subject), {
      rule: "truncate-table",
      message: `Deletes all rows of '${nameOf(relation)}'${others}`,
      // CASCADE reaches other tables, which may have rows.
      ...(!isCascade && { table }),
    });
  }
  return lockingAll(ranges, subject, "reads");
}
