import { renameKey } from "../schema.ts";
import type { Subject } from "../statement.ts";
import { offsetOf, qualifiedName, quoteName, secondColumn } from "./advice.ts";
import {
  type Fields,
  fieldsOf,
  nameIn,
  nameOfPath,
  rangesIn,
  type RangeVar,
  textsIn,
} from "./tree.ts";
import { columnTypeText } from "./types.ts";

const RELATION = /^OBJECT_(?:TABLE|VIEW|MATVIEW|FOREIGN_TABLE)$/;

export function rename(fields: Fields, subject: Subject): void {
  const { renameType = "", relationType = "", relation, subname = "", newname = "" } = fields;
  const { schema, report, lock } = subject;
  if (renameType === "OBJECT_SCHEMA") report(0, "renaming-table: schema", { schema: subname });
  if (relation === undefined) return;
  if (renameType === "OBJECT_INDEX") renameKey(schema.indexes, relation.relname, newname);
  if (RELATION.test(renameType)) renameTable(relation, newname, subject);
  if (renameType !== "OBJECT_COLUMN" || !RELATION.test(relationType)) return;
  const table = schema.table(nameIn(relation));
  const { type } = schema.column(table, subname);
  const place = { table, name: qualifiedName(relation) };
  const values = {
    ...secondColumn(place, subname, newname, quoteName(subname)),
    type: type && !/^interval \d/.test(type.name) ? columnTypeText(type) : "…",
  };
  schema.renameColumn(table, subname, newname);
  if (schema.isNew(table)) return;
  lock(table);
  const finding = relationType === "OBJECT_TABLE" ? "renaming-column" : "renaming-column: words";
  report(startOf("RENAME", subject), finding, values, table);
}

function renameTable(relation: RangeVar, relname: string, subject: Subject): void {
  const { schema, report } = subject;
  const renamed = { ...relation, relname };
  // An index can be renamed as if it were a table.
  if (schema.index(nameIn(relation))) {
    renameKey(schema.indexes, relation.relname, relname);
    schema.rename(nameIn(relation), nameIn(renamed));
    return;
  }
  const table = schema.table(nameIn(relation));
  if (schema.isNew(table) && schema.isNoted("vacated", table.schema, relname)) {
    report(startOf("RENAME", subject), "replacing-table", { table: quoteName(relname) });
  }
  move(relation, renamed, "RENAME", { unless: "", place: "with the old name" }, subject);
}

export function setSchema(
  { relation, newschema = "", objectType = "" }: Fields,
  subject: Subject,
): void {
  if (relation === undefined || !RELATION.test(objectType)) return;
  const unless = `, unless '${newschema}' is in its search_path`;
  const moved = { ...relation, schemaname: newschema };
  move(relation, moved, "SET", { unless, place: "in the old schema" }, subject);
}

function move(
  from: RangeVar,
  to: RangeVar,
  verb: string,
  values: { readonly unless: string; readonly place: string },
  subject: Subject,
): void {
  const { schema, source, report, lock } = subject;
  const table = schema.rename(nameIn(from), nameIn(to));
  if (schema.isNew(table)) return;
  lock(table);
  const names = { table: qualifiedName(from), renamed: qualifiedName(to), statement: source(0) };
  report(startOf(verb, subject), "renaming-table", { ...values, ...names }, table);
}

function startOf(verb: string, { parts }: Subject): number {
  return parts.find(({ word }) => word === verb)?.start ?? 0;
}

export function drop(fields: Fields, subject: Subject): void {
  const { objects = [], removeType = "", behavior, concurrent } = fields;
  const { schema, report, lock } = subject;
  // It may reach what others have: what the file makes is no exception.
  const isCascade = behavior === "DROP_CASCADE";
  for (const node of objects) {
    const names = fieldsOf(node, "List")?.items ?? fieldsOf(node, "TypeName")?.names;
    const path = textsIn(names ?? [node]);
    const name = path.at(-1) ?? "";
    if (RELATION.test(removeType)) dropRelation(path, fields, isCascade, subject);
    if (removeType === "OBJECT_SCHEMA" && (isCascade || !schema.isNoted("schema", name))) {
      report(0, "drop-table: schema", { schema: name });
    }
    if (removeType === "OBJECT_INDEX") {
      const index = concurrent ? undefined : schema.index(nameOfPath(path));
      schema.indexes.delete(name);
      if (index) lock(index.table);
    }
    // Columns may be of a type: `CASCADE` drops them.
    if (isCascade && /^OBJECT_(?:TYPE|DOMAIN|EXTENSION)$/.test(removeType)) {
      report(0, "drop-column: CASCADE", { type: name });
    }
    if (/^OBJECT_(?:TRIGGER|POLICY|RULE)$/.test(removeType)) {
      lock(schema.table(nameOfPath(path.slice(0, -1))));
    }
  }
}

function dropRelation(
  path: readonly string[],
  { removeType, missing_ok }: Fields,
  isCascade: boolean,
  { schema, report, lock }: Subject,
): void {
  const table = schema.drop(nameOfPath(path));
  const isMissing = missing_ok && removeType === "OBJECT_TABLE" && schema.isMissing(table);
  if (schema.isNew(table) && !isCascade || isMissing || removeType === "OBJECT_VIEW") return;
  lock(table, "reads", true);
  report(0, removeType === "OBJECT_MATVIEW" ? "drop-table: view" : "drop-table", {
    table: path.slice(-2).map(quoteName).join("."),
    old: quoteName(`${path.at(-1)}_old`),
    also: "; also locks the tables that it references",
  }, table);
}

export function truncate({ relations, behavior }: Fields, subject: Subject): void {
  const { schema, report, lock } = subject;
  const isCascade = behavior === "DROP_CASCADE";
  const more = isCascade ? " and of every table that references it" : "";
  for (const relation of rangesIn(relations)) {
    const table = schema.table(nameIn(relation));
    lock(table);
    if (schema.isNew(table) && !isCascade) continue;
    const values = { what: "", table: qualifiedName(relation), more };
    // CASCADE reaches other tables, which may have rows.
    report(offsetOf(relation, subject), "truncate-table", values, isCascade ? undefined : table);
  }
}
