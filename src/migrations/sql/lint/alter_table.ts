import { type Action, blocking, columnPieces } from "./action.ts";
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
  if (WEAK.has(subtype)) return { locks: "none" };
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
  AT_SetLogged: (action) => rewriting(action, "SET LOGGED"),
  AT_SetUnLogged: (action) => rewriting(action, "SET UNLOGGED"),
  AT_SetTableSpace: (action) => rewriting(action, "SET TABLESPACE"),
  AT_SetAccessMethod: (action) => rewriting(action, "SET ACCESS METHOD"),
  AT_AttachPartition: attachPartition,
};

function dropColumn({ command: { name: column = "" }, ...action }: Action): void {
  const { table, name, at, isNew, subject } = action;
  const own = table.columns.delete(column);
  if (isNew && (own || table.isComplete)) return;
  subject.report(at, {
    rule: "drop-column",
    message:
      `The data of '${column}' is gone, and an application that still reads '${name}' with it fails`,
    table,
    advice: [
      "Safe way: first a release that does not use the column, then this file, then:",
      `  ALTER TABLE ${name} DROP COLUMN ${quoteName(column)};`,
    ],
  });
}

function alterType(action: Action): void {
  const { command, table, name, at, isNew, subject } = action;
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
    ? ", unless TimeZone is UTC in the session: then its indexes alone are"
    : change === undefined && !converts
    ? `, unless the new type only widens the old one (varchar and numeric of more digits, varchar to text): ` +
      `the type of '${column}' is not known here`
    : "";
  const value = definition?.raw_default ? columnPieces(action).using : quoted;
  subject.report(at, {
    rule: "changing-column-type",
    message: `The whole table '${name}' and its indexes are written anew, ` +
      `while nobody reads or writes it${unless}`,
    table,
    advice: [
      "Safe way: another column, which the application or a trigger writes too, and old rows in batches:",
      `  ALTER TABLE ${name} ADD COLUMN ${copy} ${type};`,
      ...inBatches(name, `${copy} = ${value}`, `${copy} IS NULL AND ${quoted} IS NOT NULL`),
      "  -- in a later file, with a release that uses it:",
      `  ALTER TABLE ${name} RENAME COLUMN ${quoted} TO ${quoteName(`${column}_old`)};`,
      `  ALTER TABLE ${name} RENAME COLUMN ${copy} TO ${quoted};`,
    ],
  });
}

/** A change of type that leaves the rows as they are: what is computed from the column is not left. */
function lintDependents({ table, name, at, subject }: Action, column: string): void {
  subject.schema.want(table);
  const statement = `  ${subject.source(0)};`;
  const [check] = [...table.checks].find(([, { columns }]) => columns.includes(column)) ?? [];
  if (check !== undefined) {
    const quoted = quoteName(check);
    subject.report(at, {
      rule: "changing-column-type",
      message: blocking(`the CHECK '${check}' is checked for every row of '${name}' again`),
      table,
      advice: [
        "Safe way: without it, and then again as one that is checked while others go on:",
        `  ALTER TABLE ${name} DROP CONSTRAINT ${quoted};`,
        statement,
        `  ALTER TABLE ${name} ADD CONSTRAINT ${quoted} CHECK (…) NOT VALID;`,
        `  ${LATER}`,
        `  ALTER TABLE ${name} VALIDATE CONSTRAINT ${quoted};`,
      ],
    });
  }
  const [index] = subject.schema.indexesOf(table)
    .find(([, { computedFrom = [] }]) => computedFrom.includes(column)) ?? [];
  if (index === undefined) return;
  subject.report(at, {
    rule: "changing-column-type",
    message: blocking(
      `the index '${index}' of '${name}', which has an expression or a WHERE, is built anew`,
    ),
    table,
    advice: [
      "Safe way, without the index meanwhile, in a file that begins with '-- irori: no-transaction':",
      `  DROP INDEX CONCURRENTLY ${quoteName(index)};`,
      statement,
      `  CREATE INDEX CONCURRENTLY ${quoteName(index)} ON ${name} (…);`,
    ],
  });
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
  const check = quoteName(`${part.name.relname}_bounds`);
  subject.report(at, {
    rule: "attach-partition-scans",
    message: `Nobody reads or writes '${partition}' while every row of it is checked, unless a ` +
      "validated CHECK says that they belong there",
    table,
    advice: [
      "Safe way: a CHECK that says the same as the bounds, and is checked while others go on:",
      `  ALTER TABLE ${partition} ADD CONSTRAINT ${check} CHECK (…) NOT VALID;`,
      `  ${LATER}`,
      `  ALTER TABLE ${partition} VALIDATE CONSTRAINT ${check};`,
      `  ${LATER}`,
      `  ${subject.source(subject.parts[0]?.start ?? 0)};`,
      `  ALTER TABLE ${partition} DROP CONSTRAINT ${check};`,
    ],
  });
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
  const check = quoteName(`${table.name}_bounds`);
  const other = nameOf({ schemaname: table.schema, relname: table.name });
  subject.report(at, {
    rule: "attach-partition-scans",
    message:
      `Nobody reads or writes '${name}' while every row of its DEFAULT partition '${other}' ` +
      "is checked, unless a validated CHECK says that none of them belongs to the new one",
    table,
    advice: [
      "Safe way: a CHECK that leaves out the new bounds, and is checked while others go on:",
      `  ALTER TABLE ${other} ADD CONSTRAINT ${check} CHECK (NOT (…)) NOT VALID;`,
      `  ${LATER}`,
      `  ALTER TABLE ${other} VALIDATE CONSTRAINT ${check};`,
      `  ${LATER}`,
      `  ${subject.source(subject.parts[0]?.start ?? 0)};`,
      `  ALTER TABLE ${other} DROP CONSTRAINT ${check};`,
    ],
  });
}

function rewriting({ table, name, at, isNew, subject }: Action, what: string): void {
  if (isNew) return;
  subject.report(at, {
    rule: "rewriting-table",
    message: `${what} copies the whole table '${name}', while nobody reads or writes it`,
    table,
    advice: ["There is no way to do it while others go on: choose a quiet hour"],
  });
}
