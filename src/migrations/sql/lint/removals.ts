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
    schema.renameColumn(table, subname, newname);
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
      "Safe way: a view in the old schema, until no release uses that:",
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
  const { objects = [], removeType, behavior, concurrent } = fields;
  const { schema } = subject;
  const names = objects.map((node) => {
    const list = fieldsOf<{ items?: readonly Node[] }>(node, "List");
    const type = fieldsOf<{ names?: readonly Node[] }>(node, "TypeName");
    return textsOf(list?.items ?? type?.names ?? [node]);
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
    } else if (removeType === "OBJECT_INDEX") {
      const table = concurrent ? undefined : schema.index(nameOfPath(path))?.table;
      schema.dropIndex(name);
      if (table && !schema.isNew(table)) locks.push({ table, strength: "reads" });
    } else if (behavior === "DROP_CASCADE" && OF_COLUMNS.test(removeType)) {
      const type = removeType === "OBJECT_EXTENSION" ? undefined : schema.type(nameOfPath(path));
      if (type && schema.isNew(type)) continue;
      subject.report(0, {
        rule: "drop-column",
        message:
          `CASCADE drops what depends on '${name}': every column of such a type, with its data`,
        advice: ["Safe way: without CASCADE, once a file has dropped each column by its name"],
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
