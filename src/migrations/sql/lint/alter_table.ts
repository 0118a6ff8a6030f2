import { type Action, blocking, columnPieces, reportAction } from "./action.ts";
import { addColumn } from "./add_column.ts";
import { inBatches, LATER, nameOf, quoteName } from "./advice.ts";
import { columnTypeOf, typeChange } from "./column_types.ts";
import { addConstraint, constraintOf, learnColumn, setNotNull } from "./constraints.ts";
import type { Table } from "./schema.ts";
import type { Subject } from "./subject.ts";
import { domainNamed, domainOf } from "./types.ts";
import type { Strength } from "./effects.ts";
import {
  type ColumnDef,
  fieldsOf,
  nameIn,
  type Node,
  type RangeVar,
  textsOf,
  type TypeName,
} from "./tree.ts";

/**
 * Says what an action of `ALTER TABLE` is found to do, and follows it.
 *
 * @returns what the table is locked against, and whether its rows are worked through meanwhile
 */
export function lintAction(action: Action): { readonly locks: Strength; readonly scans?: boolean } {
  const { subtype } = action.command;
  const lint = ACTIONS[subtype];
  lint?.(action);
  if (subtype === "AT_ValidateConstraint") return { locks: "none", scans: true };
  const constraint = constraintOf(action.command);
  const part = fieldsOf<{ concurrent?: boolean }>(action.command.def, "PartitionCmd");
  if (WEAK.has(subtype) || part?.concurrent) return { locks: "none" };
  const isWeaker = constraint?.contype === "CONSTR_FOREIGN" || TRIGGERS.test(subtype);
  return { locks: isWeaker ? "writes" : "reads" };
}

/** SHARE UPDATE EXCLUSIVE. */
const WEAK = new Set([
  ...["AT_SetRelOptions", "AT_ResetRelOptions", "AT_SetStatistics", "AT_SetOptions"],
  ...["AT_ResetOptions", "AT_ValidateConstraint", "AT_AttachPartition", "AT_ClusterOn"],
  ...["AT_DropCluster"],
]);

/** SHARE ROW EXCLUSIVE. */
const TRIGGERS = /^AT_(?:Enable|Disable)(?:Always|Replica)?Trig/;

const ACTIONS: Readonly<Record<string, (action: Action) => void>> = {
  AT_AddColumn: addColumn,
  AT_DropColumn: dropColumn,
  AT_AlterColumnType: alterType,
  AT_SetNotNull: setNotNull,
  AT_DropNotNull: (action) => learnColumn(action, { notNull: false }),
  AT_AddConstraint: addConstraint,
  AT_DropConstraint: ({ table, command: { name = "" } }) => table.checks.delete(name),
  AT_ValidateConstraint: ({ table, command: { name = "" } }) => {
    const check = table.checks.get(name);
    if (check) table.checks.set(name, { ...check, isValidated: true });
  },
  AT_SetLogged: (action) => setLogged(action, false),
  AT_SetUnLogged: (action) => setLogged(action, true),
  AT_SetTableSpace: (action) => rewriting(action, "SET TABLESPACE"),
  AT_SetAccessMethod: (action) => rewriting(action, "SET ACCESS METHOD"),
  AT_AttachPartition: attachPartition,
  // What a policy makes good is left out at the end of the file.
  AT_EnableRowSecurity: (action) => {
    action.subject.schema.want(action.table);
    const rows = `Hides all rows of '${action.name}' from every role except its owner`;
    const advice = "Safe way: CREATE POLICY in the same file";
    const message = `${rows} and rejects new ones: the table has no policy`;
    reportAction(action, "enabling-row-security", message, advice);
  },
  AT_ColumnDefault: (action) => {
    const { command: { name: column = "", def }, name, table, subject } = action;
    if (def || !subject.schema.column(table, column).notNull) return;
    const message = `INSERT statements that omit '${column}' of '${name}' fail`;
    reportAction(action, "restricting-inserts", message);
  },
  AT_SetIdentity: (action) => {
    const { command: { name: column, def }, name } = action;
    // The code of ALWAYS is `a`.
    if (!/"generated","arg":\{"Integer":\{"ival":97\}/.test(JSON.stringify(def))) return;
    const message = `INSERT statements that set '${column}' of '${name}' fail`;
    reportAction(action, "restricting-inserts", message);
  },
  AT_DetachPartition: hideRows,
  AT_DropInherit: hideRows,
};

function hideRows(action: Action): void {
  const { command: { def }, name, subject: { schema } } = action;
  const part = fieldsOf<{ name: RangeVar }>(def, "PartitionCmd")?.name;
  const other = part ?? fieldsOf<RangeVar>(def, "RangeVar");
  if (other === undefined || schema.isNew(schema.table(nameIn(other)))) return;
  const [parent, child] = part ? [name, nameOf(other)] : [nameOf(other), name];
  const message = `Applications that read '${parent}' no longer see the rows of '${child}'`;
  reportAction(action, "hiding-rows", message);
}

function setLogged(action: Action, isUnlogged: boolean): void {
  const { table } = action;
  if (table.isUnlogged !== isUnlogged) {
    rewriting(action, isUnlogged ? "SET UNLOGGED" : "SET LOGGED");
  }
  table.isUnlogged = isUnlogged;
}

function dropColumn(action: Action): void {
  const { command: { name: column = "" }, table, name, isNew, subject } = action;
  const own = table.columns.delete(column);
  if (isNew && (own || table.isComplete)) return;
  if (subject.schema.isNoted("column", table.schema, table.name, column)) return;
  reportAction(
    { ...action, isNew: false },
    "drop-column",
    `Deletes the data of '${column}' in '${name}', and an application that still uses the column fails`,
    "Safe way: first a release that does not use the column, then this file, then:",
    `  ALTER TABLE ${name} DROP COLUMN ${quoteName(column)};`,
  );
}

function alterType(action: Action): void {
  const { command, table, name, isNew, subject } = action;
  const column = command.name ?? "";
  const definition = fieldsOf<ColumnDef>(command.def, "ColumnDef");
  const written = columnTypeOf(definition?.typeName);
  const domain = domainOf(definition?.typeName, subject.schema);
  const to = domain?.base ?? written;
  const known = subject.schema.column(table, column).type;
  const from = known && !known.isArray
    ? domainNamed(known.name.split("."), subject.schema)?.base ?? known
    : known;
  table.columns.set(column, { ...table.columns.get(column), ...(written && { type: written }) });
  if (isNew) return;
  const converts = definition?.raw_default !== undefined &&
    !isColumn(definition.raw_default, column);
  const change = converts || definition?.collClause || domain?.isConstrained
    ? "rewrite"
    : from && to
    ? typeChange(from, to)
    : undefined;
  if (change === "free") {
    lintDependents(action, column);
    return;
  }
  const type = columnPieces(action).newType;
  const quoted = quoteName(column);
  const copy = quoteName(`${column}_new`);
  const unless = change === "by zone"
    ? ", unless TimeZone is UTC in the session: then only its indexes are rebuilt"
    : change === undefined && !converts
    ? `, unless the new type only widens the old one (a longer varchar, a numeric with more digits, ` +
      `varchar to text): the type of '${column}' is not known here`
    : "";
  const value = definition?.raw_default ? columnPieces(action).using : quoted;
  reportAction(
    action,
    "changing-column-type",
    blocking(`changing the type rewrites table '${name}' and its indexes`) + unless,
    "Safe way: a second column that the application or a trigger writes too, then existing rows in batches:",
    `  ALTER TABLE ${name} ADD COLUMN ${copy} ${type};`,
    ...inBatches(name, `${copy} = ${value}`, `${copy} IS NULL AND ${quoted} IS NOT NULL`),
    "  -- in a later file, with a release that uses it:",
    `  ALTER TABLE ${name} RENAME COLUMN ${quoted} TO ${quoteName(`${column}_old`)};`,
    `  ALTER TABLE ${name} RENAME COLUMN ${copy} TO ${quoted};`,
  );
}

/** A change of type that does not rewrite the rows may still rewrite what is computed from the column. */
function lintDependents(action: Action, column: string): void {
  const { table, name, subject } = action;
  subject.schema.want(table);
  const statement = `  ${subject.source(0)};`;
  const [check] = [...table.checks].find(([, { columns }]) => columns.includes(column)) ?? [];
  if (check !== undefined) {
    const quoted = quoteName(check);
    reportAction(
      action,
      "changing-column-type",
      blocking(`the CHECK '${check}' is validated for every row of '${name}' again`),
      "Safe way: drop it, then add it again and validate it without blocking:",
      `  ALTER TABLE ${name} DROP CONSTRAINT ${quoted};`,
      statement,
      `  ALTER TABLE ${name} ADD CONSTRAINT ${quoted} CHECK (…) NOT VALID;`,
      `  ${LATER}`,
      `  ALTER TABLE ${name} VALIDATE CONSTRAINT ${quoted};`,
    );
  }
  const [index] = subject.schema.indexesOf(table)
    .find(([, { computedFrom = [] }]) => computedFrom.includes(column)) ?? [];
  if (index === undefined) return;
  reportAction(
    action,
    "changing-column-type",
    blocking(
      `the index '${index}' of '${name}', which has an expression or a WHERE, is rebuilt`,
    ),
    "Safe way: drop the index first, in a file that begins with '-- irori: no-transaction':",
    `  DROP INDEX CONCURRENTLY ${quoteName(index)};`,
    statement,
    `  CREATE INDEX CONCURRENTLY ${quoteName(index)} ON ${name} (…);`,
  );
}

/** Whether an expression is the column as it is, or with a cast that `typeChange()` judges. */
function isColumn(expression: Node, column: string): boolean {
  const cast = fieldsOf<{ arg?: Node; typeName?: TypeName }>(expression, "TypeCast");
  const inner = cast?.arg ?? expression;
  const reference = fieldsOf<{ fields?: readonly Node[] }>(inner, "ColumnRef");
  return reference !== undefined && textsOf(reference.fields).at(-1) === column;
}

function attachPartition({ command, table: parent, name, at, isNew, subject }: Action): void {
  const part = fieldsOf<{ name: RangeVar; bound?: { is_default?: boolean } }>(
    command.def,
    "PartitionCmd",
  );
  if (part === undefined) return;
  const { schema } = subject;
  const table = schema.table(nameIn(part.name));
  if (part.bound?.is_default) parent.defaultPartition = nameIn(part.name);
  else if (!isNew) lintDefaultPartition(parent, name, subject, at);
  schema.want(parent);
  if (schema.isNew(table) || mayProveBounds(table, parent)) return;
  schema.want(table);
  const partition = nameOf(part.name);
  subject.report(at, {
    rule: "attach-partition-scans",
    message: `Blocks reads and writes of '${partition}' while every row is checked, unless a ` +
      "validated CHECK proves that the rows belong to the partition",
    table,
    advice: boundsAdvice("has the same condition as the bounds", part.name, "…", subject),
  });
}

/** A `CHECK` that makes it unnecessary to scan a partition. */
function boundsAdvice(
  what: string,
  partition: RangeVar,
  condition: string,
  { parts, source }: Subject,
): readonly string[] {
  const name = nameOf(partition);
  const check = quoteName(`${partition.relname}_bounds`);
  return [
    `Safe way: a CHECK that ${what}, validated without blocking:`,
    `  ALTER TABLE ${name} ADD CONSTRAINT ${check} CHECK (${condition}) NOT VALID;`,
    `  ${LATER}`,
    `  ALTER TABLE ${name} VALIDATE CONSTRAINT ${check};`,
    `  ${LATER}`,
    `  ${source(parts[0]?.start ?? 0)};`,
    `  ALTER TABLE ${name} DROP CONSTRAINT ${check};`,
  ];
}

/** Whether a validated `CHECK` of a partition is about the columns that rows are divided by. */
function mayProveBounds({ checks }: Table, { partitionKey = [] }: Table): boolean {
  return [...checks.values()].some(({ isValidated, columns }) =>
    isValidated &&
    (partitionKey.length === 0 || columns.some((name) => partitionKey.includes(name)))
  );
}

/** A new partition, where rows of the default one might belong to it. @param name of the parent */
export function lintDefaultPartition(
  parent: Table,
  name: string,
  subject: Subject,
  at: number,
): void {
  const { schema } = subject;
  if (parent.defaultPartition === undefined) {
    schema.want(parent);
    return;
  }
  const table = schema.table(parent.defaultPartition);
  if (schema.isNew(table) || mayProveBounds(table, parent)) return;
  schema.want(table);
  const range = { schemaname: table.schema, relname: table.name };
  const other = nameOf(range);
  subject.report(at, {
    rule: "attach-partition-scans",
    message:
      `Blocks reads and writes of '${name}' while every row of its DEFAULT partition '${other}' ` +
      "is checked, unless a validated CHECK proves that no row belongs to the new partition",
    table,
    advice: boundsAdvice("excludes the new bounds", range, "NOT (…)", subject),
  });
}

function rewriting(action: Action, what: string): void {
  const advice = "It cannot run without blocking: choose a time of low traffic";
  reportAction(
    action,
    "rewriting-table",
    blocking(`${what} rewrites table '${action.name}'`),
    advice,
  );
}
