import { quoted } from "../../../text/mod.ts";
import type { Subject } from "../statement.ts";
import { qualifiedName } from "./advice.ts";
import { alterTable, lintDefaultPartition, lockReferenced } from "./alter_table.ts";
import { change, inCommonTables, insert } from "./changes.ts";
import { learnColumn, learnConstraints } from "./constraints.ts";
import { lockAll } from "./effects.ts";
import { createIndex, refresh, reindex } from "./indexes.ts";
import { drop, rename, setSchema, truncate } from "./removals.ts";
import {
  columnsIn,
  type Fields,
  fieldsIn,
  fieldsOf,
  hasOption,
  nameIn,
  type Node,
  openNode,
  rangesBelow,
  rangesIn,
  type RangeVar,
  type TableFields,
  textsIn,
} from "./tree.ts";
import { alterDomain, columnTypeOf, createDomain, createType } from "./types.ts";

/** Looks at one statement by its parse tree. Bodies of functions and `DO` blocks are texts to it. */
export function lintPostgresql(tree: Node, subject: Subject): void {
  const [kind, fields] = openNode(tree);
  STATEMENTS[kind]?.(fields, subject);
}

// deno-lint-ignore no-explicit-any -- the grammar guarantees the fields of each kind
const STATEMENTS: Readonly<Record<string, (fields: any, subject: Subject) => void>> = {
  AlterTableStmt: alterTable,
  AlterTableMoveAllStmt: ({ objtype }: Fields, subject) => {
    const what = objtype === "OBJECT_INDEX" ? "index" : "table";
    rewrite("SET TABLESPACE", `every ${what} of the tablespace`, undefined, subject);
  },
  CreateStmt: createTable,
  CreateTableAsStmt: createTableAs,
  CreateDomainStmt: createDomain,
  AlterDomainStmt: alterDomain,
  CreateSchemaStmt: ({ schemaname = "", if_not_exists }: Fields, { schema }) => {
    if (!if_not_exists) schema.note("schema", schemaname);
  },
  CreateEnumStmt: createType,
  CreateRangeStmt: createType,
  CompositeTypeStmt: ({ typevar }: { typevar: RangeVar }, { schema }) =>
    schema.makeType(typevar.relname),
  ExplainStmt: ({ query, options }: Fields, subject) => {
    if (query && hasOption(options, "analyze")) lintPostgresql(query, subject);
  },
  PrepareStmt: ({ query }: { query: Node }, subject) => lintPostgresql(query, subject),
  SelectStmt: select,
  InsertStmt: insert,
  UpdateStmt: (fields, subject) => change("update", fields, subject),
  DeleteStmt: (fields, subject) => change("delete", fields, subject),
  MergeStmt: ({ relation }: TableFields, { schema, work }) => {
    if (schema.used(nameIn(relation))) work();
  },
  ViewStmt: ({ view }: { view: RangeVar }, { schema }) => {
    if (!schema.table(nameIn(view)).isComplete) schema.make(nameIn(view)).isView = true;
  },
  IndexStmt: createIndex,
  ReindexStmt: reindex,
  RefreshMatViewStmt: refresh,
  RenameStmt: rename,
  AlterObjectSchemaStmt: setSchema,
  DropStmt: drop,
  DropOwnedStmt: (_, { report }) => report(0, "drop-table: OWNED", {}),
  DropdbStmt: ({ dbname = "" }: Fields, { report }) =>
    report(0, "drop-database", { database: dbname }),
  TruncateStmt: truncate,
  LockStmt: ({ relations, mode = 0 }: Fields, subject) => {
    // From 5 on (SHARE) writes are blocked.
    if (mode >= 5) lockAll(rangesIn(relations), subject, mode === 8 ? "reads" : "writes");
  },
  ClusterStmt: ({ relation }: Fields, subject) =>
    rewrite("CLUSTER", "every table", relation, subject),
  VacuumStmt: ({ options, rels }: Fields, subject) => {
    if (!hasOption(options, "full")) return;
    const relation = fieldsOf(rels?.[0], "VacuumRelation")?.relation;
    rewrite("VACUUM FULL", "every table", relation, subject);
  },
  CreateTrigStmt: ({ relation }: TableFields, subject) => lockAll([relation], subject, "writes"),
  CreatePolicyStmt: ({ table }: { table: RangeVar }, subject) => {
    subject.schema.table(nameIn(table)).hasPolicy = true;
    lockAll([table], subject);
  },
  GrantStmt: revoke,
  GrantRoleStmt: revoke,
  AlterPolicyStmt: ({ table }: { table: RangeVar }, subject) => lockAll([table], subject),
  RuleStmt: createRule,
  VariableSetStmt: ({ name, args }: Fields, { schema }) => {
    if (name === "search_path") schema.searchIn(firstText(args));
    // The search_path may begin with the schema of the role.
    if (name === "role" || name === "session_authorization") schema.searchIn("$user");
  },
};

function createTable(fields: TableFields, subject: Subject): void {
  const { relation, tableElts = [], partspec, partbound, inhRelations, if_not_exists } = fields;
  const { schema } = subject;
  if (if_not_exists && schema.isThere(nameIn(relation))) return;
  const parents = partbound === undefined ? [] : rangesIn(inhRelations);
  for (const parent of parents) {
    const table = schema.table(nameIn(parent));
    if (partbound?.is_default) table.defaultPartition = nameIn(relation);
    else if (!schema.isNew(table)) lintDefaultPartition(table, qualifiedName(parent), subject, 0);
  }
  lockAll(parents, subject);
  lockReferenced(tableElts, subject);
  const table = schema.make(nameIn(relation));
  table.isPartitioned = partspec !== undefined;
  table.partitionKey = fieldsIn(partspec?.partParams, "PartitionElem")
    .flatMap(({ name, expr }) => name ?? columnsIn(expr));
  // Columns that are copied or inherited from other tables are not seen here.
  table.isComplete = !inhRelations && tableElts.every((node) => !("TableLikeClause" in node));
  for (const definition of fieldsIn(tableElts, "ColumnDef")) {
    const { colname = "", typeName } = definition;
    const constraints = fieldsIn(definition.constraints, "Constraint");
    const type = columnTypeOf(typeName);
    const notNull = constraints.some(({ contype }) => contype === "CONSTR_NOTNULL");
    learnColumn(table, colname, { ...(type && { type }), notNull });
    learnConstraints(table, colname, constraints);
  }
  learnConstraints(table, undefined, fieldsIn(tableElts, "Constraint"));
}

function createTableAs({ into, if_not_exists, query, objtype }: Fields, subject: Subject): void {
  const { schema, work } = subject;
  const name = into?.rel && nameIn(into.rel);
  if (if_not_exists && name && schema.isThere(name)) return;
  inCommonTables(openNode(query)[1], subject);
  work();
  if (!name) return;
  Object.assign(schema.make(name), { isComplete: false, isView: objtype === "OBJECT_MATVIEW" });
  schema.fill(name, rangesBelow(query));
}

function select(fields: Fields, subject: Subject): void {
  const { intoClause: into, targetList, fromClause } = fields;
  inCommonTables(fields, subject);
  if (into) return createTableAs({ into, ...(fromClause && { query: fromClause }) }, subject);
  setConfig(targetList, subject);
  const reads = rangesBelow(fromClause)
    .some(({ schema, name }) => !/^(?:pg_|information_schema$)/.test(schema ?? name));
  if (reads) subject.work();
}

/** `SELECT set_config('search_path', …)`, as `pg_dump` writes it. */
function setConfig(targets: readonly Node[] | undefined, { schema }: Subject): void {
  for (const { val } of fieldsIn(targets, "ResTarget")) {
    const { funcname, args } = fieldsOf(val, "FuncCall") ?? {};
    const isCall = textsIn(funcname).at(-1) === "set_config" && firstText(args) === "search_path";
    if (isCall) schema.searchIn(firstText(args?.slice(1)));
  }
}

/** `REVOKE`, of what others already use. Functions are usually taken from PUBLIC. */
function revoke(
  { is_grant, objtype = "", objects = [], grantees, grantee_roles }: Fields,
  { schema, report }: Subject,
): void {
  const isUsed = objects.length === 0 ||
    rangesIn(objects).some((range) => schema.used(nameIn(range))) ||
    textsIn(objects).some((name) => !schema.isNoted("schema", name));
  if (is_grant || !isUsed || /FUNCTION|PROCEDURE|ROUTINE|TYPE/.test(objtype)) return;
  const roles = fieldsIn(grantees ?? grantee_roles, "RoleSpec")
    .map(({ rolename = "PUBLIC" }) => rolename);
  report(0, "revoking-privileges", { roles: quoted(roles) });
}

/** `CREATE RULE`; with `INSTEAD` it is what makes a view writable. */
function createRule({ relation, instead }: TableFields, subject: Subject): void {
  const { schema, report } = subject;
  const table = schema.used(nameIn(relation));
  if (instead && table && !table.isView && !schema.isMissing(table)) {
    report(0, "replacing-statements", { table: qualifiedName(relation) }, table);
  }
  lockAll([relation], subject);
}

function rewrite(
  what: string,
  all: string,
  relation: RangeVar | undefined,
  { schema, report, lock }: Subject,
): void {
  const table = relation && schema.table(nameIn(relation));
  if (table && schema.isNew(table)) return;
  const target = relation ? `table '${qualifiedName(relation)}'` : all;
  report(0, "rewriting-table", { what, target, or: ", or use pg_repack" }, table);
  if (table) lock(table);
}

function firstText(nodes: readonly Node[] = []): string | undefined {
  const constant = fieldsOf<{ sval?: { sval?: string } }>(nodes[0], "A_Const");
  return constant?.sval?.sval?.split(",")[0]?.trim() || undefined;
}
