import type { Subject } from "../statement.ts";
import { nameOf, offsetOf, quoteName } from "./advice.ts";
import { type Effect, lockAll, lockOf, NONE, type TableLock } from "./effects.ts";
import {
  type Fields,
  fieldsOf,
  nameIn,
  nameOfPath,
  rangesIn,
  type TableFields,
  textsIn,
} from "./tree.ts";

const RELATION = /^OBJECT_(?:TABLE|VIEW|MATVIEW|FOREIGN_TABLE)$/;

export function rename(fields: Fields, subject: Subject): Effect {
  const { renameType = "", relationType = "", relation, subname = "", newname = "" } = fields;
  const { schema, report } = subject;
  if (renameType === "OBJECT_SCHEMA") report(0, "renaming-table: schema", { schema: subname });
  if (relation === undefined) return NONE;
  if (renameType === "OBJECT_INDEX") schema.renameIndex(relation.relname, newname);
  if (RELATION.test(renameType)) return renameTable({ ...fields, relation }, subject);
  if (renameType !== "OBJECT_COLUMN" || !RELATION.test(relationType)) return NONE;
  const table = schema.table(nameIn(relation));
  const column = table.columns.get(subname);
  if (column) table.columns.set(newname, column);
  table.columns.delete(subname);
  schema.renameColumn(table, subname, newname);
  if (schema.isNew(table)) return NONE;
  const values = { table: nameOf(relation), column: subname, quoted: quoteName(subname) };
  report(startOf("RENAME", subject), "renaming-column", values, table);
  return lockOf(table);
}

function renameTable({ relation, newname = "" }: TableFields, subject: Subject): Effect {
  const { schema, source, report } = subject;
  const table = schema.table(nameIn(relation));
  const isNew = schema.isNew(table);
  const at = startOf("RENAME", subject);
  // An index can be renamed as if it were a table.
  const isIndex = schema.index(nameIn(relation)) !== undefined;
  if (isIndex) schema.renameIndex(relation.relname, newname);
  schema.rename(nameIn(relation), { name: newname });
  if (isIndex) return NONE;
  if (isNew) {
    const isReplacing = schema.isNoted("vacated", table.schema, newname);
    if (isReplacing) report(at, "replacing-table", { table: quoteName(newname) });
    return NONE;
  }
  report(at, "renaming-table", {
    ...{ table: nameOf(relation), unless: "", place: "with the old name", statement: source(0) },
    renamed: nameOf({ ...relation, relname: newname }),
  }, table);
  return lockOf(table);
}

export function setSchema(
  { relation, newschema = "", objectType = "" }: Fields,
  subject: Subject,
): Effect {
  if (relation === undefined || !RELATION.test(objectType)) return NONE;
  const { schema, source, report } = subject;
  const table = schema.used(nameIn(relation));
  schema.rename(nameIn(relation), { schema: newschema });
  if (table === undefined) return NONE;
  report(startOf("SET", subject), "renaming-table", {
    ...{ table: nameOf(relation), place: "in the old schema", statement: source(0) },
    unless: `, unless '${newschema}' is in its search_path`,
    renamed: nameOf({ ...relation, schemaname: newschema }),
  }, table);
  return lockOf(table);
}

function startOf(verb: string, { parts }: Subject): number {
  return parts.find(({ word }) => word === verb)?.start ?? 0;
}

interface Dropped extends Fields {
  readonly path: readonly string[];
  readonly name: string;
  readonly removeType: string;
  /** It may reach what others have: what the file makes is no exception. */
  readonly isCascade: boolean;
}

export function drop(fields: Fields, subject: Subject): Effect {
  const { objects = [], removeType = "", behavior } = fields;
  const isCascade = behavior === "DROP_CASCADE";
  const locks = objects.flatMap((node) => {
    const names = fieldsOf(node, "List")?.items ?? fieldsOf(node, "TypeName")?.names;
    const path = textsIn(names ?? [node]);
    const dropped = { ...fields, path, name: path.at(-1) ?? "", removeType, isCascade };
    return DROPS[removeType]?.(dropped, subject) ?? [];
  });
  return { locks };
}

const DROPS: Readonly<
  Record<string, (dropped: Dropped, subject: Subject) => TableLock | undefined | void>
> = {
  OBJECT_SCHEMA: ({ name, isCascade }, { schema, report }) => {
    if (schema.isNoted("schema", name) && !isCascade) return;
    report(0, "drop-table: schema", { schema: name });
  },
  OBJECT_TABLE: dropRelation,
  OBJECT_MATVIEW: dropRelation,
  OBJECT_FOREIGN_TABLE: dropRelation,
  OBJECT_VIEW: dropRelation,
  OBJECT_INDEX: ({ path, name, concurrent }, { schema }) => {
    const table = concurrent ? undefined : schema.index(nameOfPath(path))?.table;
    schema.dropIndex(name);
    return table && !schema.isNew(table) ? { table, strength: "reads" } : undefined;
  },
  OBJECT_TYPE: dropType,
  OBJECT_DOMAIN: dropType,
  OBJECT_EXTENSION: dropType,
  OBJECT_TRIGGER: lockOwner,
  OBJECT_POLICY: lockOwner,
  OBJECT_RULE: lockOwner,
};

function dropRelation(
  { path, name, removeType, isCascade, missing_ok }: Dropped,
  { schema, report }: Subject,
): TableLock | void {
  const found = nameOfPath(path);
  const table = schema.table(found);
  const isNew = schema.isNew(table);
  const isMissing = missing_ok && removeType === "OBJECT_TABLE" && schema.isMissing(table);
  schema.drop(found);
  if (isNew && !isCascade || isMissing || removeType === "OBJECT_VIEW") return;
  const values = {
    table: path.slice(-2).map(quoteName).join("."),
    old: quoteName(`${name}_old`),
    also: "; also locks the tables that it references",
  };
  report(0, removeType === "OBJECT_MATVIEW" ? "drop-table: view" : "drop-table", values, table);
  return { table, strength: "reads", isDropped: true };
}

/** Columns may be of a type: `CASCADE` drops them. */
function dropType({ name, isCascade }: Dropped, { report }: Subject): void {
  if (isCascade) report(0, "drop-column: CASCADE", { type: name });
}

function lockOwner({ path }: Dropped, { schema }: Subject): TableLock | undefined {
  const table = schema.used(nameOfPath(path.slice(0, -1)));
  return table && { table, strength: "reads" };
}

export function truncate({ relations, behavior }: Fields, subject: Subject): Effect {
  const { schema, report } = subject;
  const isCascade = behavior === "DROP_CASCADE";
  const more = isCascade ? " and of every table that references it" : "";
  const ranges = rangesIn(relations);
  for (const relation of ranges) {
    const table = schema.table(nameIn(relation));
    if (schema.isNew(table) && !isCascade) continue;
    const values = { what: "", table: nameOf(relation), more };
    // CASCADE reaches other tables, which may have rows.
    report(offsetOf(relation, subject), "truncate-table", values, isCascade ? undefined : table);
  }
  return lockAll(ranges, subject);
}
