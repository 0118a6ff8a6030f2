import { NO_TRANSACTION } from "../rules.ts";
import type { Subject } from "../statement.ts";
import { offsetOf, qualifiedName, quoteName, withInserted } from "./advice.ts";
import { columnsIn, type Fields, fieldsIn, hasOption, nameIn, type TableFields } from "./tree.ts";

export function createIndex(fields: TableFields, subject: Subject): void {
  const { idxname, relation, indexParams = [], whereClause, concurrent } = fields;
  const { schema, parts, source, report, lock, work } = subject;
  const table = schema.table(nameIn(relation));
  const names = (nodes: Fields["indexParams"]) =>
    fieldsIn(nodes, "IndexElem").flatMap(({ name }) => name ?? []);
  const columns = names(indexParams);
  if (idxname !== undefined) {
    const isComputed = columns.length < indexParams.length || whereClause !== undefined;
    const included = names(fields.indexIncludingParams);
    const read = [...columns, ...included, ...columnsIn(indexParams), ...columnsIn(whereClause)];
    schema.indexes.set(idxname, { table, columns, ...(isComputed && { computedFrom: read }) });
  }
  if (schema.isNew(table) || concurrent) return;
  lock(table, "writes");
  if (relation.inh !== true && table.isPartitioned !== false) return;
  work();
  if (table.isPartitioned === undefined) schema.want(table);
  const { end = 0 } = parts.find(({ word }) => word === "INDEX") ?? {};
  const name = qualifiedName(relation);
  if (table.isPartitioned) {
    const at = offsetOf(relation, subject);
    const list = parts.find(({ start, text }) => start > at && text === "(");
    report(0, "require-concurrent-index-creation: partitioned", {
      table: name,
      index: quoteName(idxname ?? `${relation.relname}_idx`),
      onlyParent: withInserted(subject, at, "ONLY "),
      columns: source(list?.start ?? end),
    }, table);
  } else {
    const concurrently = withInserted(subject, end, " CONCURRENTLY");
    report(0, "require-concurrent-index-creation", { table: name, concurrently }, table);
  }
}

export function reindex({ kind, relation, name, params }: Fields, subject: Subject): void {
  if (hasOption(params, "concurrently")) return;
  const { schema, parts, report, lock, work } = subject;
  const isIndex = kind === "REINDEX_OBJECT_INDEX";
  const range = relation && nameIn(relation);
  const table = range && (isIndex ? schema.index(range)?.table : schema.table(range));
  if (table && schema.isNew(table)) return;
  const { end = 0 } =
    parts.find(({ word }) => /^(?:INDEX|TABLE|SCHEMA|DATABASE|SYSTEM)$/.test(word)) ?? {};
  const what = relation ? qualifiedName(relation) : name ?? "the database";
  report(0, "require-concurrent-reindex", {
    target: `${isIndex ? "the table of " : ""}'${what}'`,
    safeWay: kind === "REINDEX_OBJECT_SYSTEM"
      ? ["It cannot run without blocking: choose a time of low traffic"]
      : [NO_TRANSACTION, ...withInserted(subject, end, " CONCURRENTLY")],
  }, table);
  if (!table) return;
  lock(table);
  work();
}

export function refresh(
  { relation, concurrent, skipData }: TableFields,
  { schema, report, lock, work }: Subject,
): void {
  const table = schema.used(nameIn(relation));
  if (table === undefined || skipData) return;
  work();
  if (concurrent) return;
  lock(table);
  report(0, "require-concurrent-refresh", { table: qualifiedName(relation) }, table);
}
