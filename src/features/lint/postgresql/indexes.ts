import type { Subject } from "../statement.ts";
import { nameOf, NO_TRANSACTION, offsetOf, quoteName, withInserted } from "./advice.ts";
import { type Effect, lockOf, NONE } from "./effects.ts";
import { columnsIn, type Fields, fieldsIn, hasOption, nameIn, type TableFields } from "./tree.ts";

export function createIndex(fields: TableFields, subject: Subject): Effect {
  const { idxname, relation, indexParams = [], whereClause, concurrent } = fields;
  const { schema, parts, source, report } = subject;
  const table = schema.table(nameIn(relation));
  const names = (nodes: Fields["indexParams"]) =>
    fieldsIn(nodes, "IndexElem").flatMap(({ name }) => name ?? []);
  const columns = names(indexParams);
  if (idxname !== undefined) {
    const isComputed = columns.length < indexParams.length || whereClause !== undefined;
    const included = names(fields.indexIncludingParams);
    const read = [...columns, ...included, ...columnsIn(indexParams), ...columnsIn(whereClause)];
    schema.addIndex(idxname, { table, columns, ...(isComputed && { computedFrom: read }) });
  }
  if (schema.isNew(table) || concurrent) return NONE;
  const locks = [{ table, strength: "writes" }] as const;
  if (relation.inh !== true && table.isPartitioned !== false) return { locks };
  if (table.isPartitioned === undefined) schema.want(table);
  const { end = 0 } = parts.find(({ word }) => word === "INDEX") ?? {};
  const name = nameOf(relation);
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
  return { locks, works: table };
}

export function reindex({ kind, relation, name, params }: Fields, subject: Subject): Effect {
  if (hasOption(params, "concurrently")) return NONE;
  const { schema, parts, report } = subject;
  const isIndex = kind === "REINDEX_OBJECT_INDEX";
  const range = relation && nameIn(relation);
  const table = range && (isIndex ? schema.index(range)?.table : schema.table(range));
  if (table && schema.isNew(table)) return NONE;
  const { end = 0 } =
    parts.find(({ word }) => /^(?:INDEX|TABLE|SCHEMA|DATABASE|SYSTEM)$/.test(word)) ?? {};
  const what = relation ? nameOf(relation) : name ?? "the database";
  report(0, "require-concurrent-reindex", {
    target: `${isIndex ? "the table of " : ""}'${what}'`,
    safeWay: kind === "REINDEX_OBJECT_SYSTEM"
      ? ["It cannot run without blocking: choose a time of low traffic"]
      : [NO_TRANSACTION, ...withInserted(subject, end, " CONCURRENTLY")],
  }, table);
  return table ? { ...lockOf(table), works: table } : NONE;
}

export function refresh(
  { relation, concurrent, skipData }: TableFields,
  { schema, report }: Subject,
): Effect {
  const table = schema.used(nameIn(relation));
  if (table === undefined || skipData) return NONE;
  if (concurrent) return { locks: [], works: table };
  report(0, "require-concurrent-refresh", { table: nameOf(relation) }, table);
  return { ...lockOf(table), works: table };
}
