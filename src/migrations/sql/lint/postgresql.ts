import { NO_TRANSACTION, quoteName } from "./advice.ts";
import { learnConstraints, lintAction, nameIn, nameOf, type Strength } from "./alter_table.ts";
import { columnTypeOf } from "./column_types.ts";
import type { Column, Table } from "./schema.ts";
import { listFrom, nameAt, type Part } from "./statement.ts";
import type { Subject } from "./subject.ts";
import {
  type AlterTableCmd,
  type AlterTableStmt,
  type ColumnDef,
  type Constraint,
  type CreateStmt,
  type DropStmt,
  fieldsOf,
  type IndexStmt,
  type Node,
  nodesIn,
  opened,
  type RangeVar,
  type RenameStmt,
  textsOf,
} from "./tree.ts";

/** What a statement does to tables that others use, as far as it matters for the statements behind it. */
export interface Effect {
  /** Tables that are locked until the end of the transaction. */
  readonly locks: readonly TableLock[];
  /** The table whose rows it works through, or `true` where that is not one. */
  readonly works?: Table | true;
}

/** A table that is locked. */
export interface TableLock {
  readonly table: Table;
  readonly strength: Strength;
  /** Whether it is dropped: then nobody minds that it is locked. */
  readonly isGone?: boolean;
}

const NONE: Effect = { locks: [] };

/**
 * Looks at one statement by its parse tree: reports what is found, and follows what it does to tables. Bodies of
 * functions and `DO` blocks are texts to the grammar, and to this.
 */
export function lintPostgresql(tree: Node, subject: Subject): Effect {
  const [kind, fields] = opened(tree);
  return STATEMENTS[kind]?.(fields, subject) ?? NONE;
}

// deno-lint-ignore no-explicit-any -- the shape of the fields is that of their kind
const STATEMENTS: Readonly<Record<string, (fields: any, subject: Subject) => Effect>> = {
  AlterTableStmt: alterTable,
  CreateStmt: createTable,
  CreateTableAsStmt: createTableAs,
  SelectStmt: select,
  InsertStmt: insert,
  UpdateStmt: (fields, subject) => change("update", fields, subject),
  DeleteStmt: (fields, subject) => change("delete", fields, subject),
  ViewStmt: ({ view }: { view: RangeVar }, { schema }) => {
    if (!schema.table(nameIn(view)).isComplete) schema.make(nameIn(view));
    return NONE;
  },
  IndexStmt: createIndex,
  ReindexStmt: reindex,
  RefreshMatViewStmt: refresh,
  RenameStmt: rename,
  AlterObjectSchemaStmt: (
    { relation, newschema, objectType }: {
      relation?: RangeVar;
      newschema: string;
      objectType: string;
    },
    subject,
  ) => {
    if (relation === undefined || objectType !== "OBJECT_TABLE") return NONE;
    const effect = locking(relation, subject);
    subject.schema.rename(nameIn(relation), { schema: newschema });
    return effect;
  },
  DropStmt: drop,
  DropdbStmt: ({ dbname }: { dbname: string }, subject) => {
    subject.report(0, {
      rule: "drop-database",
      message: `All of the database '${dbname}' is gone`,
    });
    return NONE;
  },
  TruncateStmt: truncate,
  LockStmt: ({ relations, mode }: { relations?: readonly Node[]; mode?: number }, subject) => {
    // 1 is ACCESS SHARE, 8 ACCESS EXCLUSIVE; from 5 on (SHARE) nobody writes.
    const strength = mode === 8 ? "reads" : (mode ?? 0) >= 5 ? "writes" : "none";
    return lockingAll(rangesIn(relations), subject, strength);
  },
  ClusterStmt: ({ relation }: { relation?: RangeVar }, subject) => {
    return copying("CLUSTER", relation, subject);
  },
  VacuumStmt: (
    { options, rels }: { options?: readonly Node[]; rels?: readonly Node[] },
    subject,
  ) => {
    if (!hasOption(options, "full")) return NONE;
    const [first] = rels ?? [];
    const { relation } = fieldsOf<{ relation?: RangeVar }>(first, "VacuumRelation") ?? {};
    return copying("VACUUM FULL", relation, subject);
  },
  CreateTrigStmt: ({ relation }: { relation: RangeVar }, subject) =>
    locking(relation, subject, "writes"),
  CreatePolicyStmt: ({ table }: { table: RangeVar }, subject) => locking(table, subject),
  AlterPolicyStmt: ({ table }: { table: RangeVar }, subject) => locking(table, subject),
  RuleStmt: ({ relation }: { relation: RangeVar }, subject) => locking(relation, subject),
  VariableSetStmt: ({ name, args }: { name?: string; args?: readonly Node[] }, { schema }) => {
    if (name === "search_path") schema.searchIn(firstText(args));
    return NONE;
  },
};

function alterTable({ relation, cmds = [], objtype }: AlterTableStmt, subject: Subject): Effect {
  if (objtype !== "OBJECT_TABLE" && objtype !== "OBJECT_MATVIEW") return NONE;
  const { schema, parts } = subject;
  const table = schema.table(nameIn(relation));
  const isNew = schema.isNew(table);
  const from = parts.findIndex(({ start }) => start >= offsetOf(relation, subject));
  const behind = nameAt(parts, from)?.next ?? 0;
  const actions = listFrom(parts, parts[behind]?.text === "*" ? behind + 1 : behind);
  let strength: Strength = "none";
  let works = false;
  for (const [index, node] of cmds.entries()) {
    const command = fieldsOf<AlterTableCmd>(node, "AlterTableCmd");
    if (command === undefined) continue;
    const own: readonly Part[] = actions.length === cmds.length ? actions[index] ?? [] : [];
    const at = own[0]?.start ?? 0;
    const name = nameOf(relation);
    const { locks, scans } = lintAction({ command, parts: own, at, table, name, isNew, subject });
    if (strength === "none" || locks === "reads") strength = locks;
    works ||= scans === true;
  }
  if (isNew) return NONE;
  return { locks: [{ table, strength }], ...(works && { works: table }) };
}

function createTable(
  { relation, tableElts = [], partspec, partbound, inhRelations }: CreateStmt,
  subject: Subject,
): Effect {
  const { schema } = subject;
  const parents = partbound === undefined ? [] : rangesIn(inhRelations);
  const effect = lockingAll(parents, subject, "reads");
  const definitions = tableElts.flatMap((node) => fieldsOf<ColumnDef>(node, "ColumnDef") ?? []);
  const constraintsOf = (nodes: readonly Node[] = []) =>
    nodes.flatMap((node) => fieldsOf<Constraint>(node, "Constraint") ?? []);
  const columns = definitions.map(({ colname = "", typeName, constraints }): [string, Column] => {
    const type = columnTypeOf(typeName);
    const notNull = constraintsOf(constraints).some(({ contype }) => contype === "CONSTR_NOTNULL");
    return [colname, { ...(type && { type }), notNull }];
  });
  const table = schema.make(nameIn(relation), columns);
  table.isPartitioned = partspec !== undefined;
  // What is copied or inherited from other tables is not seen here.
  if (columns.length < tableElts.length || inhRelations) {
    table.isComplete = tableElts.every((node) => !("TableLikeClause" in node)) && !inhRelations;
  }
  for (const { colname, constraints } of definitions) {
    learnConstraints(table, colname, constraintsOf(constraints));
  }
  learnConstraints(table, undefined, constraintsOf(tableElts));
  return effect;
}

function createTableAs(
  { into }: { into?: { rel?: RangeVar } },
  { schema }: Subject,
): Effect {
  if (into?.rel) schema.make(nameIn(into.rel)).isComplete = false;
  return { locks: [], works: true };
}

function select(
  fields: { intoClause?: { rel?: RangeVar }; targetList?: readonly Node[] },
  subject: Subject,
): Effect {
  const changes = inCommonTables(fields, subject);
  if (fields.intoClause) return createTableAs({ into: fields.intoClause }, subject);
  setConfig(fields.targetList, subject);
  return changes;
}

/** `SELECT set_config('search_path', …)`, as `pg_dump` writes it. */
function setConfig(targets: readonly Node[] = [], { schema }: Subject): void {
  for (const target of targets) {
    const { val } = fieldsOf<{ val?: Node }>(target, "ResTarget") ?? {};
    const call = fieldsOf<{ funcname?: readonly Node[]; args?: readonly Node[] }>(val, "FuncCall");
    if (textsOf(call?.funcname).at(-1) !== "set_config") continue;
    if (firstText(call?.args) === "search_path") schema.searchIn(firstText(call?.args?.slice(1)));
  }
}

function insert(
  fields: { selectStmt?: Node },
  subject: Subject,
): Effect {
  const changes = inCommonTables(fields, subject);
  const source = fieldsOf<{ fromClause?: unknown }>(fields.selectStmt, "SelectStmt");
  return source?.fromClause ? { ...changes, works: true } : changes;
}

/** `WITH gone AS (DELETE …) …`. */
function inCommonTables(fields: object, subject: Subject): Effect {
  let works: Effect["works"];
  for (const [kind, inner] of nodesIn((fields as { withClause?: unknown }).withClause)) {
    if (kind === "UpdateStmt") works = change("update", inner, subject).works ?? works;
    if (kind === "DeleteStmt") works = change("delete", inner, subject).works ?? works;
  }
  return { locks: [], ...(works && { works }) };
}

function change(
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
  if (whereClause === undefined) {
    const name = nameOf(relation);
    const isUpdate = verb === "update";
    const at = startOf(verb, relation, subject);
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

/** What is told of `UPDATE` and `DELETE` without `WHERE`, of every kind of database. */
export function everyRow(verb: "update" | "delete", name: string) {
  return verb === "update"
    ? {
      rule: "update-without-where",
      message: `Every row of '${name}' is written in one transaction, and locked until its end`,
    } as const
    : {
      rule: "delete-without-where",
      message: `Every row of '${name}' is deleted in one transaction, and locked until its end`,
    } as const;
}

/** Where the verb stands that belongs to a table; `WITH` may stand before it. */
function startOf(verb: string, relation: RangeVar, subject: Subject): number {
  const end = offsetOf(relation, subject);
  const before = subject.parts.findLast(({ word, isQuoted, start }) => {
    return !isQuoted && start < end && word === verb.toUpperCase();
  });
  return before?.start ?? 0;
}

function createIndex(fields: IndexStmt, subject: Subject): Effect {
  const { idxname, relation, indexParams = [], concurrent } = fields;
  const { schema, parts } = subject;
  const table = schema.table(nameIn(relation));
  const columns = indexParams
    .flatMap((node) => fieldsOf<{ name?: string }>(node, "IndexElem")?.name ?? []);
  if (idxname !== undefined) schema.addIndex(idxname, { table, columns });
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
      ? `Nobody writes to '${name}' or its partitions while the indexes are built`
      : `Nobody writes to '${name}' while the index is built`,
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
    "Safe way: an index of the table alone, then one for each partition, which is attached to it:",
    ...indented(only),
    "  -- in a file that begins with '-- irori: no-transaction', for each partition:",
    `  CREATE INDEX CONCURRENTLY ${index}_1 ON <partition of ${name}> ${subject.source(using)};`,
    `  ALTER INDEX ${index} ATTACH PARTITION ${index}_1;`,
  ];
}

function reindex(
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
    ? schema.index(relation.relname)?.table
    : schema.table(nameIn(relation));
  if (table && schema.isNew(table)) return NONE;
  const what = relation ? nameOf(relation) : name ?? "the database";
  const target = subject.parts.findIndex(({ word }) =>
    /^(?:INDEX|TABLE|SCHEMA|DATABASE|SYSTEM)$/.test(word)
  );
  const { end = 0 } = subject.parts[target] ?? {};
  subject.report(0, {
    rule: "require-concurrent-reindex",
    message: `Nobody reads or writes ${
      isIndex ? "the table of " : ""
    }'${what}' while its indexes are built: a query locks every index of a table`,
    ...(table && { table }),
    advice: kind === "REINDEX_OBJECT_SYSTEM"
      ? ["There is no way to do it while others go on: choose a quiet hour"]
      : [
        NO_TRANSACTION,
        ...indented(`${subject.source(0, end)} CONCURRENTLY${subject.source(end)};`),
      ],
  });
  return table ? { locks: [{ table, strength: "reads" }], works: table } : NONE;
}

function refresh(
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
    message: `Nobody reads '${name}' while it is filled anew`,
    table,
    advice: [
      "Safe way, once there is a unique index of all its rows:",
      `  REFRESH MATERIALIZED VIEW CONCURRENTLY ${name};`,
    ],
  });
  return { locks: [{ table, strength: "reads" }], works: table };
}

function rename(fields: RenameStmt, subject: Subject): Effect {
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

function drop({ objects = [], removeType, concurrent }: DropStmt, subject: Subject): Effect {
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

function truncate(
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

function copying(what: string, relation: RangeVar | undefined, subject: Subject): Effect {
  const table = relation && subject.schema.table(nameIn(relation));
  if (table && subject.schema.isNew(table)) return NONE;
  const tables = relation ? `the whole table '${nameOf(relation)}'` : "every table";
  subject.report(0, {
    rule: "rewriting-table",
    message: `${what} copies ${tables}, while nobody reads or writes it`,
    ...(table && { table }),
    advice: ["There is no way to do it while others go on: choose a quiet hour, or use pg_repack"],
  });
  return table ? { locks: [{ table, strength: "reads" }] } : NONE;
}

function locking(relation: RangeVar, subject: Subject, strength: Strength = "reads"): Effect {
  return lockingAll([relation], subject, strength);
}

function lockingAll(
  relations: readonly RangeVar[],
  { schema }: Subject,
  strength: Strength,
): Effect {
  const tables = relations.map((relation) => schema.table(nameIn(relation)));
  return {
    locks: tables.filter((table) => !schema.isNew(table)).map((table) => ({ table, strength })),
  };
}

function rangesIn(nodes: readonly Node[] = []): readonly RangeVar[] {
  return nodes.flatMap((node) => fieldsOf<RangeVar>(node, "RangeVar") ?? []);
}

function hasOption(options: readonly Node[] = [], name: string): boolean {
  return options.some((node) => {
    const option = fieldsOf<{ defname?: string; arg?: Node }>(node, "DefElem");
    if (option?.defname !== name) return false;
    const value = JSON.stringify(option.arg ?? true);
    return !/"(?:false|off|0)"|"boolval":\{\}|:\{"ival":\{\}/.test(value);
  });
}

function firstText(nodes: readonly Node[] = []): string | undefined {
  const constant = fieldsOf<{ sval?: { sval?: string } }>(nodes[0], "A_Const");
  return constant?.sval?.sval?.split(",")[0]?.trim() || undefined;
}

/** Where a table is named, in UTF-16 units: the grammar counts bytes of UTF-8. */
function offsetOf({ location = 0 }: RangeVar, { text }: Subject): number {
  let [bytes, at] = [0, 0];
  while (bytes < location && at < text.length) {
    const point = text.codePointAt(at) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    at += point < 0x10000 ? 1 : 2;
  }
  return at;
}

function indented(sql: string): readonly string[] {
  return sql.split(/\r?\n/).map((line) => `  ${line}`);
}
