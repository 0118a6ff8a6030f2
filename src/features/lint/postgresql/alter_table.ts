import type { Table } from "../schema.ts";
import { listFrom, nameAt, reporter, type Strength, type Subject } from "../statement.ts";
import { type Action, offsetOf, provedBy, qualifiedName, quoteName } from "./advice.ts";
import { addColumn, alterColumnType, dropColumn } from "./columns.ts";
import { addConstraint, learnColumn, setNotNull } from "./constraints.ts";
import { lockAll } from "./effects.ts";
import {
  type Fields,
  fieldsIn,
  fieldsOf,
  nameIn,
  nodesIn,
  type RangeVar,
  type TableFields,
} from "./tree.ts";

/** `ALTER TABLE`, and what the grammar makes of `ALTER TYPE` and `ALTER INDEX`. */
export function alterTable({ relation, cmds, objtype = "" }: TableFields, subject: Subject): void {
  const commands = fieldsIn(cmds, "AlterTableCmd");
  if (objtype === "OBJECT_TYPE") return alterType(relation, commands, subject);
  if (objtype === "OBJECT_INDEX") return alterIndex(relation, commands, subject);
  if (!/^OBJECT_(?:TABLE|MATVIEW)$/.test(objtype)) return;
  const { schema, parts, report, lock, work } = subject;
  const table = schema.table(nameIn(relation));
  const isNew = schema.isNew(table);
  const name = qualifiedName(relation);
  const from = parts.findIndex(({ start }) => start >= offsetOf(relation, subject));
  const behind = nameAt(parts, from)?.next ?? 0;
  const texts = listFrom(parts, parts[behind]?.text === "*" ? behind + 1 : behind);
  const actions = commands.map((command, index): Action => {
    const own = texts.length === commands.length ? texts[index] ?? [] : [];
    const at = own[0]?.start ?? 0;
    const { name: column = "" } = command;
    const report = reporter(subject, at, name, table);
    return { command, parts: own, at, relation, table, name, isNew, column, report, subject };
  });
  for (const action of actions) ACTIONS[action.command.subtype ?? ""]?.(action);
  const strength = STRENGTHS.find((one) => commands.some((command) => strengthOf(command) === one));
  if (strength) lock(table, strength);
  lockReferenced(cmds, subject);
  const scan = actions.find(({ command: { subtype } }) => subtype === "AT_ValidateConstraint");
  if (isNew || scan === undefined) return;
  const blocked = strength === "reads" ? "reads and writes of" : "writes to";
  if (strength === undefined) work();
  else report(scan.at, "locks-add-up: VALIDATE", { blocked, table: name }, table);
}

const STRENGTHS = ["reads", "writes"] as const;

/** Tables of foreign keys that a statement makes are locked, too. */
export function lockReferenced(nodes: unknown, subject: Subject): void {
  for (const [kind, { contype, pktable }] of nodesIn(nodes)) {
    const isForeign = kind === "Constraint" && contype === "CONSTR_FOREIGN";
    if (isForeign && pktable) lockAll([pktable], subject, "writes");
  }
}

function strengthOf({ subtype = "", def }: Fields): Strength | undefined {
  if (WEAK.test(subtype) || fieldsOf(def, "PartitionCmd")?.concurrent) return undefined;
  const isForeign = subtype === "AT_AddConstraint" &&
    fieldsOf(def, "Constraint")?.contype === "CONSTR_FOREIGN";
  return isForeign || TRIGGERS.test(subtype) ? "writes" : "reads";
}

/** SHARE UPDATE EXCLUSIVE. */
const WEAK =
  /^AT_(?:(?:Set|Reset)(?:Rel)?Options|SetStatistics|AttachPartition|ClusterOn|DropCluster|ValidateConstraint)$/;
/** SHARE ROW EXCLUSIVE. */
const TRIGGERS = /^AT_(?:Enable|Disable)(?:Always|Replica)?Trig/;

const ACTIONS: Readonly<Record<string, (action: Action) => void>> = {
  AT_AddColumn: addColumn,
  AT_DropColumn: dropColumn,
  AT_AlterColumnType: alterColumnType,
  AT_SetNotNull: setNotNull,
  AT_DropNotNull: ({ table, column }) => learnColumn(table, column, { notNull: false }),
  AT_AddConstraint: addConstraint,
  AT_DropConstraint: ({ table, command: { name = "" } }) => table.checks.delete(name),
  AT_ValidateConstraint: ({ table, command: { name = "" } }) => {
    const check = table.checks.get(name);
    if (check) table.checks.set(name, { ...check, isValidated: true });
  },
  AT_SetLogged: (action) => setLogged(action, "SET LOGGED"),
  AT_SetUnLogged: (action) => setLogged(action, "SET UNLOGGED"),
  AT_SetTableSpace: (action) => reportRewrite(action, "SET TABLESPACE"),
  AT_SetAccessMethod: (action) => reportRewrite(action, "SET ACCESS METHOD"),
  AT_AttachPartition: attachPartition,
  // A finding that a policy repairs is left out at the end of the file.
  AT_EnableRowSecurity: ({ table, subject, report }) => {
    subject.schema.want(table);
    report("enabling-row-security", {});
  },
  AT_ColumnDefault: ({ command: { def }, column, table, subject, report }) => {
    if (def || !subject.schema.column(table, column).notNull) return;
    report("restricting-inserts", { verb: "omit", column });
  },
  AT_SetIdentity: ({ command: { def }, column, report }) => {
    // The code of ALWAYS is `a`.
    if (!/"generated","arg":\{"Integer":\{"ival":97\}/.test(JSON.stringify(def))) return;
    report("restricting-inserts", { verb: "set", column });
  },
  AT_DisableTrigAll: ({ report }) => report("disabling-triggers", {}),
  AT_ReplicaIdentity: ({ command: { def }, report }) => {
    // The code of NOTHING is `n`.
    if (/"identity_type":"n"/.test(JSON.stringify(def))) report("breaking-replication", {});
  },
  AT_DetachPartition: hideRows,
  AT_DropInherit: hideRows,
};

function reportRewrite(action: Action, what: string): void {
  action.report("rewriting-table", { what, target: `table '${action.name}'`, or: "" });
}

function setLogged(action: Action, what: "SET LOGGED" | "SET UNLOGGED"): void {
  const isUnlogged = what === "SET UNLOGGED";
  if (action.table.isUnlogged !== isUnlogged) reportRewrite(action, what);
  action.table.isUnlogged = isUnlogged;
}

interface PartitionCmd {
  readonly name: RangeVar;
  readonly bound?: { readonly is_default?: boolean };
}

function hideRows(action: Action): void {
  const { command: { def }, name, at, isNew, subject: { schema, report } } = action;
  const part = fieldsOf<PartitionCmd>(def, "PartitionCmd")?.name;
  const other = part ?? fieldsOf<RangeVar>(def, "RangeVar");
  if (other === undefined || !schema.used(nameIn(other))) return;
  const [table, partition] = part ? [name, qualifiedName(other)] : [qualifiedName(other), name];
  if (!isNew) report(at, "hiding-rows", { table, partition }, action.table);
}

function attachPartition({ command, table: parent, name, at, isNew, subject }: Action): void {
  const part = fieldsOf<PartitionCmd>(command.def, "PartitionCmd");
  if (part === undefined) return;
  const { schema, report } = subject;
  if (part.bound?.is_default) parent.defaultPartition = nameIn(part.name);
  else if (!isNew) lintDefaultPartition(parent, name, subject, at);
  schema.want(parent);
  const found = scanOf(part.name, parent, "…", subject);
  if (found) report(at, "attach-partition-scans", found.values, found.table);
}

export function lintDefaultPartition(
  parent: Table,
  name: string,
  subject: Subject,
  at: number,
): void {
  const { defaultPartition } = parent;
  if (defaultPartition === undefined) return subject.schema.want(parent);
  const { schema: schemaname, name: relname } = subject.schema.table(defaultPartition);
  const found = scanOf({ schemaname, relname }, parent, "NOT (…)", subject);
  if (!found) return;
  const values = { table: name, ...found.values };
  subject.report(at, "attach-partition-scans: DEFAULT", values, found.table);
}

/** Nothing where the partition is new, or a validated `CHECK` of it is about the columns that rows are divided by. */
function scanOf(
  range: RangeVar,
  { partitionKey = [] }: Table,
  condition: string,
  { schema, parts, source }: Subject,
) {
  const table = schema.table(nameIn(range));
  const isProved = [...table.checks.values()].some(({ isValidated, columns }) =>
    isValidated &&
    (partitionKey.length === 0 || columns.some((name) => partitionKey.includes(name)))
  );
  if (schema.isNew(table) || isProved) return undefined;
  schema.want(table);
  const [partition, check] = [qualifiedName(range), quoteName(`${range.relname}_bounds`)];
  const checkBounds = provedBy(partition, check, condition, source(parts[0]?.start ?? 0));
  return { table, values: { partition, checkBounds } };
}

/** `ALTER TYPE` of a composite type, which tables may be made of. */
function alterType(relation: RangeVar, commands: readonly Fields[], { report }: Subject): void {
  const type = qualifiedName(relation);
  for (const { behavior, subtype, name: column = "" } of commands) {
    if (behavior !== "DROP_CASCADE") continue;
    if (subtype === "AT_DropColumn") report(0, "drop-column: attribute", { column, type });
    if (subtype === "AT_AlterColumnType") report(0, "changing-column-type: CASCADE", { type });
  }
}

function alterIndex(
  relation: RangeVar,
  commands: readonly Fields[],
  { schema, report, lock }: Subject,
): void {
  const move = commands.find(({ subtype }) => subtype === "AT_SetTableSpace");
  const table = move && schema.index(nameIn(relation))?.table;
  if (!move || table && schema.isNew(table)) return;
  const values = { index: qualifiedName(relation), tablespace: quoteName(move.name ?? "") };
  report(0, "rewriting-table: index", values, table);
  if (table) lock(table);
}
