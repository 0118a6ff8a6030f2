import { quoted } from "../../../text/mod.ts";
import { nameOf, NO_TRANSACTION, quoteName } from "./advice.ts";
import { lintAction, lintDefaultPartition } from "./alter_table.ts";
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
  rangesBelow,
  rangesIn,
  type Strength,
  type TableLock,
} from "./effects.ts";
import { createIndex, refresh, reindex } from "./indexes.ts";
import { drop, rename, setSchema, truncate } from "./removals.ts";
import type { Column } from "./schema.ts";
import { listFrom, nameAt, type Part } from "./statement.ts";
import type { Subject } from "./subject.ts";
import {
  type AlterTableCmd,
  type AlterTableStmt,
  type ColumnDef,
  columnsIn,
  type Constraint,
  type CreateStmt,
  fieldsOf,
  type GrantStmt,
  nameIn,
  nameOfPath,
  type Node,
  nodesIn,
  opened,
  type RangeVar,
  textsOf,
} from "./tree.ts";
import { alterDomain, createDomain } from "./types.ts";

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
  AlterTableMoveAllStmt: ({ objtype }: { objtype?: string }, subject) => {
    const what = objtype === "OBJECT_INDEX" ? "index" : "table";
    return copying("SET TABLESPACE", `every ${what} of the tablespace`, undefined, subject);
  },
  CreateStmt: createTable,
  CreateTableAsStmt: createTableAs,
  CreateDomainStmt: createDomain,
  AlterDomainStmt: alterDomain,
  CreateSchemaStmt: (
    { schemaname = "", if_not_exists }: { schemaname?: string; if_not_exists?: boolean },
    { schema },
  ) => {
    if (!if_not_exists) schema.note("schema", schemaname);
    return NONE;
  },
  CreateEnumStmt: createType,
  CreateRangeStmt: createType,
  CompositeTypeStmt: ({ typevar }: { typevar: RangeVar }, { schema }) => {
    schema.makeType(typevar.relname);
    return NONE;
  },
  ExplainStmt: ({ query, options }: { query?: Node; options?: readonly Node[] }, subject) => {
    return query && hasOption(options, "analyze") ? lintPostgresql(query, subject) : NONE;
  },
  PrepareStmt: ({ query }: { query?: Node }, subject) => {
    return query ? lintPostgresql(query, subject) : NONE;
  },
  SelectStmt: select,
  InsertStmt: insert,
  UpdateStmt: (fields, subject) => change("update", fields, subject),
  DeleteStmt: (fields, subject) => change("delete", fields, subject),
  MergeStmt: ({ relation }: { relation: RangeVar }, { schema }) => {
    const table = schema.table(nameIn(relation));
    return schema.isNew(table) ? NONE : { locks: [], works: table };
  },
  ViewStmt: ({ view }: { view: RangeVar }, { schema }) => {
    if (!schema.table(nameIn(view)).isComplete) schema.make(nameIn(view)).isView = true;
    return NONE;
  },
  IndexStmt: createIndex,
  ReindexStmt: reindex,
  RefreshMatViewStmt: refresh,
  RenameStmt: rename,
  AlterObjectSchemaStmt: setSchema,
  DropStmt: drop,
  DropOwnedStmt: (_, subject) => {
    const message = "Drops everything the role owns, including tables and data";
    subject.report(0, { rule: "drop-table", message });
    return NONE;
  },
  DropdbStmt: ({ dbname }: { dbname: string }, subject) => {
    subject.report(0, {
      rule: "drop-database",
      message: `Deletes the whole database '${dbname}'`,
    });
    return NONE;
  },
  TruncateStmt: truncate,
  LockStmt: ({ relations, mode }: { relations?: readonly Node[]; mode?: number }, subject) => {
    // 1 is ACCESS SHARE, 8 ACCESS EXCLUSIVE; from 5 on (SHARE) writes are blocked.
    const strength = mode === 8 ? "reads" : (mode ?? 0) >= 5 ? "writes" : "none";
    return lockingAll(rangesIn(relations), subject, strength);
  },
  ClusterStmt: ({ relation }: { relation?: RangeVar }, subject) => {
    return copying("CLUSTER", "every table", relation, subject);
  },
  VacuumStmt: (
    { options, rels }: { options?: readonly Node[]; rels?: readonly Node[] },
    subject,
  ) => {
    if (!hasOption(options, "full")) return NONE;
    const [first] = rels ?? [];
    const { relation } = fieldsOf<{ relation?: RangeVar }>(first, "VacuumRelation") ?? {};
    return copying("VACUUM FULL", "every table", relation, subject);
  },
  CreateTrigStmt: ({ relation }: { relation: RangeVar }, subject) =>
    locking(relation, subject, "writes"),
  CreatePolicyStmt: ({ table }: { table: RangeVar }, subject) => {
    subject.schema.table(nameIn(table)).hasPolicy = true;
    return locking(table, subject);
  },
  GrantStmt: revoke,
  GrantRoleStmt: revoke,
  AlterPolicyStmt: ({ table }: { table: RangeVar }, subject) => locking(table, subject),
  RuleStmt: createRule,
  VariableSetStmt: ({ name, args }: { name?: string; args?: readonly Node[] }, { schema }) => {
    if (name === "search_path") schema.searchIn(firstText(args));
    // The search_path may begin with the schema of the role.
    if (name === "role" || name === "session_authorization") schema.searchIn("$user");
    return NONE;
  },
};

function alterTable(statement: AlterTableStmt, subject: Subject): Effect {
  const { relation, cmds = [], objtype } = statement;
  if (objtype === "OBJECT_TYPE") return alterType(statement, subject);
  if (objtype === "OBJECT_INDEX") return alterIndex(statement, subject);
  if (objtype !== "OBJECT_TABLE" && objtype !== "OBJECT_MATVIEW") return NONE;
  const { schema, parts } = subject;
  const table = schema.table(nameIn(relation));
  const isNew = schema.isNew(table);
  const from = parts.findIndex(({ start }) => start >= offsetOf(relation, subject));
  const behind = nameAt(parts, from)?.next ?? 0;
  const actions = listFrom(parts, parts[behind]?.text === "*" ? behind + 1 : behind);
  let strength: Strength = "none";
  let scansAt: number | undefined;
  for (const [index, node] of cmds.entries()) {
    const command = fieldsOf<AlterTableCmd>(node, "AlterTableCmd");
    if (command === undefined) continue;
    const own: readonly Part[] = actions.length === cmds.length ? actions[index] ?? [] : [];
    const at = own[0]?.start ?? 0;
    const name = nameOf(relation);
    const { locks, scans } = lintAction({ command, parts: own, at, table, name, isNew, subject });
    if (strength === "none" || locks === "reads") strength = locks;
    if (scans) scansAt ??= at;
  }
  const references = referenced(cmds, subject);
  if (isNew) return { locks: references };
  const locks = [{ table, strength }, ...references];
  if (scansAt === undefined) return { locks };
  if (strength === "none") return { locks, works: table };
  const blocked = strength === "reads" ? "reads and writes of" : "writes to";
  subject.report(scansAt, {
    rule: "locks-add-up",
    message:
      `Blocks ${blocked} '${nameOf(relation)}' while every row is checked: VALIDATE CONSTRAINT ` +
      "keeps the lock of the other actions",
    table,
    advice: ["Safe way: VALIDATE CONSTRAINT in a later file"],
  });
  return { locks };
}

/** Tables of foreign keys that a statement makes: they are locked, too. */
function referenced(nodes: unknown, { schema }: Subject): readonly TableLock[] {
  const tables = [...nodesIn(nodes)].flatMap(([kind, fields]) => {
    const { contype, pktable } = fields as unknown as Constraint;
    return kind === "Constraint" && contype === "CONSTR_FOREIGN" && pktable
      ? schema.table(nameIn(pktable))
      : [];
  });
  return tables.filter((table) => !schema.isNew(table))
    .map((table) => ({ table, strength: "writes" }));
}

function createTable(fields: CreateStmt, subject: Subject): Effect {
  const { relation, tableElts = [], partspec, partbound, inhRelations, if_not_exists } = fields;
  const { schema } = subject;
  if (if_not_exists && schema.isThere(nameIn(relation))) return NONE;
  const parents = partbound === undefined ? [] : rangesIn(inhRelations);
  for (const parent of parents) {
    const table = schema.table(nameIn(parent));
    if (partbound?.is_default) table.defaultPartition = { ...nameIn(relation) };
    else if (!schema.isNew(table)) lintDefaultPartition(table, nameOf(parent), subject, 0);
  }
  const locks = [
    ...lockingAll(parents, subject, "reads").locks,
    ...referenced(tableElts, subject),
  ];
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
  table.partitionKey = (partspec?.partParams ?? [])
    .flatMap((node) => {
      const key = fieldsOf<{ name?: string; expr?: unknown }>(node, "PartitionElem");
      return key?.name ?? columnsIn(key?.expr);
    });
  // What is copied or inherited from other tables is not seen here.
  if (columns.length < tableElts.length || inhRelations) {
    table.isComplete = tableElts.every((node) => !("TableLikeClause" in node)) && !inhRelations;
  }
  for (const { colname, constraints } of definitions) {
    learnConstraints(table, colname, constraintsOf(constraints));
  }
  learnConstraints(table, undefined, constraintsOf(tableElts));
  return { locks };
}

function createTableAs(
  { into, if_not_exists, query, objtype }: {
    into?: { rel?: RangeVar };
    if_not_exists?: boolean;
    query?: Node;
    objtype?: string;
  },
  subject: Subject,
): Effect {
  const { schema } = subject;
  if (if_not_exists && into?.rel && schema.isThere(nameIn(into.rel))) return NONE;
  inCommonTables(opened<object>(query)[1], subject);
  if (into?.rel) {
    const sources = rangesBelow(query);
    const table = schema.make(nameIn(into.rel));
    Object.assign(table, { isComplete: false, isView: objtype === "OBJECT_MATVIEW" });
    schema.fill(nameIn(into.rel), sources);
  }
  return { locks: [], works: true };
}

function select(
  fields: { intoClause?: { rel?: RangeVar }; targetList?: readonly Node[]; fromClause?: Node },
  subject: Subject,
): Effect {
  const changes = inCommonTables(fields, subject);
  if (fields.intoClause) {
    return createTableAs({ into: fields.intoClause, query: fields.fromClause }, subject);
  }
  setConfig(fields.targetList, subject);
  const reads = rangesBelow(fields.fromClause)
    .some(({ schema, name }) => !/^(?:pg_|information_schema$)/.test(schema ?? name));
  return reads ? { ...changes, works: true } : changes;
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

/** `ALTER TYPE` of a composite type, which tables may be made of. */
function alterType({ relation, cmds = [] }: AlterTableStmt, subject: Subject): Effect {
  const name = nameOf(relation);
  for (const node of cmds) {
    const command = fieldsOf<AlterTableCmd>(node, "AlterTableCmd");
    if (command?.behavior !== "DROP_CASCADE") continue;
    if (command.subtype === "AT_DropColumn") {
      const message = `Deletes the data of '${command.name ?? ""}' in every table of the type ` +
        `'${name}'`;
      subject.report(0, { rule: "drop-column", message });
    }
    if (command.subtype === "AT_AlterColumnType") {
      const message = `Rewrites every table of the type '${name}', blocking reads and writes`;
      subject.report(0, { rule: "changing-column-type", message });
    }
  }
  return NONE;
}

/** `REVOKE`, of what others already use. Functions are usually taken from PUBLIC. */
function revoke(
  { is_grant, objtype = "", objects = [], grantees, grantee_roles = [] }: GrantStmt,
  { schema, report }: Subject,
): Effect {
  const isUsed = objects.length === 0 ||
    rangesIn(objects).some((range) => !schema.isNew(schema.table(nameIn(range)))) ||
    textsOf(objects).some((name) => !schema.isNoted("schema", name));
  if (is_grant || !isUsed || /FUNCTION|PROCEDURE|ROUTINE|TYPE/.test(objtype)) return NONE;
  const roles = (grantees ?? grantee_roles).map((node) => {
    return fieldsOf<{ rolename?: string }>(node, "RoleSpec")?.rolename ?? "PUBLIC";
  });
  const message = `Applications that have these privileges only through ${quoted(roles)} fail`;
  report(0, { rule: "revoking-privileges", message });
  return NONE;
}

/** `CREATE RULE`; with `INSTEAD` it is what makes a view writable. */
function createRule(
  { relation, instead }: { relation: RangeVar; instead?: boolean },
  subject: Subject,
): Effect {
  const { schema } = subject;
  const table = schema.table(nameIn(relation));
  if (instead && !table.isView && !schema.isNew(table) && !schema.isMissing(table)) {
    const message = `The rule replaces the statements of applications on '${nameOf(relation)}'`;
    subject.report(0, { rule: "replacing-statements", message, table });
  }
  return locking(relation, subject);
}

/** `ALTER INDEX`. */
function alterIndex({ relation, cmds = [] }: AlterTableStmt, subject: Subject): Effect {
  const moves = cmds.some((node) =>
    fieldsOf<AlterTableCmd>(node, "AlterTableCmd")?.subtype === "AT_SetTableSpace"
  );
  if (!moves) return NONE;
  const table = subject.schema.index(nameIn(relation))?.table;
  if (table && subject.schema.isNew(table)) return NONE;
  subject.report(0, {
    rule: "rewriting-table",
    message:
      `SET TABLESPACE copies the index '${nameOf(relation)}', blocking reads and writes of ` +
      "its table: a query locks every index of a table",
    ...(table && { table }),
    advice: [
      NO_TRANSACTION,
      `  REINDEX (CONCURRENTLY, TABLESPACE ${targetOf(cmds)}) INDEX ${nameOf(relation)};`,
    ],
  });
  return table ? { locks: [{ table, strength: "reads" }] } : NONE;
}

function targetOf(cmds: readonly Node[]): string {
  return quoteName(fieldsOf<AlterTableCmd>(cmds[0], "AlterTableCmd")?.name ?? "");
}

function createType({ typeName }: { typeName?: readonly Node[] }, { schema }: Subject): Effect {
  schema.makeType(nameOfPath(textsOf(typeName)).name);
  return NONE;
}

function copying(
  what: string,
  all: string,
  relation: RangeVar | undefined,
  subject: Subject,
): Effect {
  const table = relation && subject.schema.table(nameIn(relation));
  if (table && subject.schema.isNew(table)) return NONE;
  const tables = relation ? `table '${nameOf(relation)}'` : all;
  subject.report(0, {
    rule: "rewriting-table",
    message: `${what} rewrites ${tables}, blocking reads and writes`,
    ...(table && { table }),
    advice: ["It cannot run without blocking: choose a time of low traffic, or use pg_repack"],
  });
  return table ? { locks: [{ table, strength: "reads" }] } : NONE;
}

function firstText(nodes: readonly Node[] = []): string | undefined {
  const constant = fieldsOf<{ sval?: { sval?: string } }>(nodes[0], "A_Const");
  return constant?.sval?.sval?.split(",")[0]?.trim() || undefined;
}
