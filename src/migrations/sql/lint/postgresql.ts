import { nameOf } from "./advice.ts";
import { lintAction, type Strength } from "./alter_table.ts";
import { change, inCommonTables, insert } from "./changes.ts";
import { columnTypeOf } from "./column_types.ts";
import { learnConstraints } from "./constraints.ts";
import {
  type Effect,
  hasOption,
  locking,
  lockingAll,
  NONE,
  offsetOf,
  rangesIn,
} from "./effects.ts";
import { createIndex, refresh, reindex } from "./indexes.ts";
import { drop, rename, truncate } from "./removals.ts";
import type { Column } from "./schema.ts";
import { listFrom, nameAt, type Part } from "./statement.ts";
import type { Subject } from "./subject.ts";
import {
  type AlterTableCmd,
  type AlterTableStmt,
  type ColumnDef,
  type Constraint,
  type CreateStmt,
  fieldsOf,
  nameIn,
  type Node,
  opened,
  type RangeVar,
  textsOf,
} from "./tree.ts";

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

function firstText(nodes: readonly Node[] = []): string | undefined {
  const constant = fieldsOf<{ sval?: { sval?: string } }>(nodes[0], "A_Const");
  return constant?.sval?.sval?.split(",")[0]?.trim() || undefined;
}
