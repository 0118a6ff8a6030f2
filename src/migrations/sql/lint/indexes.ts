import { nameOf, NO_TRANSACTION, quoteName } from "./advice.ts";
import { type Effect, hasOption, indented, NONE, offsetOf } from "./effects.ts";
import type { Subject } from "./subject.ts";
import { columnsIn, fieldsOf, type IndexStmt, nameIn, type Node, type RangeVar } from "./tree.ts";

/** `CREATE INDEX`. */
export function createIndex(fields: IndexStmt, subject: Subject): Effect {
  const { idxname, relation, indexParams = [], indexIncludingParams = [] } = fields;
  const { whereClause, concurrent } = fields;
  const { schema, parts } = subject;
  const table = schema.table(nameIn(relation));
  const columns = indexParams
    .flatMap((node) => fieldsOf<{ name?: string }>(node, "IndexElem")?.name ?? []);
  if (idxname !== undefined) {
    const isComputed = columns.length < indexParams.length || whereClause !== undefined;
    const included = indexIncludingParams
      .flatMap((node) => fieldsOf<{ name?: string }>(node, "IndexElem")?.name ?? []);
    const read = [...columns, ...included, ...columnsIn(indexParams), ...columnsIn(whereClause)];
    schema.addIndex(idxname, { table, columns, ...(isComputed && { computedFrom: read }) });
  }
  if (schema.isNew(table) || concurrent) return NONE;
  const isOnly = relation.inh !== true;
  if (isOnly && table.isPartitioned !== false) {
    return { locks: [{ table, strength: "writes" }] };
  }
  if (table.isPartitioned === undefined) schema.want(table);
  const keyword = parts.find(({ word }) => word === "INDEX");
  const end = keyword?.end ?? 0;
  const concurrently = `${subject.source(0, end)} CONCURRENTLY${subject.source(end)};`;
  const name = nameOf(relation);
  subject.report(0, {
    rule: "require-concurrent-index-creation",
    message: table.isPartitioned
      ? `Blocks writes to '${name}' and its partitions while the indexes are built`
      : `Blocks writes to '${name}' while the index is built`,
    table,
    advice: table.isPartitioned
      ? partitionedIndexAdvice(subject, relation, idxname, end)
      : [NO_TRANSACTION, ...indented(concurrently)],
  });
  return { locks: [{ table, strength: "writes" }], works: table };
}

function partitionedIndexAdvice(
  subject: Subject,
  relation: RangeVar,
  idxname: string | undefined,
  end: number,
): readonly string[] {
  const name = nameOf(relation);
  const at = offsetOf(relation, subject);
  const index = quoteName(idxname ?? `${relation.relname}_idx`);
  const only = `${subject.source(0, at)}ONLY ${subject.source(at)};`;
  const using = subject.parts.find(({ start, text }) => start > at && text === "(")?.start ?? end;
  return [
    "Safe way: an index on the parent only, then one on each partition, attached to it:",
    ...indented(only),
    "  -- in a file that begins with '-- irori: no-transaction', for each partition:",
    `  CREATE INDEX CONCURRENTLY ${index}_1 ON <partition of ${name}> ${subject.source(using)};`,
    `  ALTER INDEX ${index} ATTACH PARTITION ${index}_1;`,
  ];
}

/** `REINDEX`. */
export function reindex(
  { kind, relation, name, params }: {
    kind?: string;
    relation?: RangeVar;
    name?: string;
    params?: readonly Node[];
  },
  subject: Subject,
): Effect {
  if (hasOption(params, "concurrently")) return NONE;
  const { schema } = subject;
  const isIndex = kind === "REINDEX_OBJECT_INDEX";
  const table = relation === undefined
    ? undefined
    : isIndex
    ? schema.index(nameIn(relation))?.table
    : schema.table(nameIn(relation));
  if (table && schema.isNew(table)) return NONE;
  const what = relation ? nameOf(relation) : name ?? "the database";
  const target = subject.parts.findIndex(({ word }) =>
    /^(?:INDEX|TABLE|SCHEMA|DATABASE|SYSTEM)$/.test(word)
  );
  const { end = 0 } = subject.parts[target] ?? {};
  subject.report(0, {
    rule: "require-concurrent-reindex",
    message: `Blocks reads and writes of ${
      isIndex ? "the table of " : ""
    }'${what}' while its indexes are rebuilt: a query locks every index of a table`,
    ...(table && { table }),
    advice: kind === "REINDEX_OBJECT_SYSTEM"
      ? ["It cannot run without blocking: choose a time of low traffic"]
      : [
        NO_TRANSACTION,
        ...indented(`${subject.source(0, end)} CONCURRENTLY${subject.source(end)};`),
      ],
  });
  return table ? { locks: [{ table, strength: "reads" }], works: table } : NONE;
}

/** `REFRESH MATERIALIZED VIEW`. */
export function refresh(
  { relation, concurrent, skipData }: {
    relation: RangeVar;
    concurrent?: boolean;
    skipData?: boolean;
  },
  subject: Subject,
): Effect {
  const { schema } = subject;
  const table = schema.table(nameIn(relation));
  if (schema.isNew(table) || skipData) return NONE;
  if (concurrent) return { locks: [], works: table };
  const name = nameOf(relation);
  subject.report(0, {
    rule: "require-concurrent-refresh",
    message: `Blocks reads of '${name}' during the refresh`,
    table,
    advice: [
      "Safe way, if the view has a unique index that covers all rows:",
      `  REFRESH MATERIALIZED VIEW CONCURRENTLY ${name};`,
    ],
  });
  return { locks: [{ table, strength: "reads" }], works: table };
}
