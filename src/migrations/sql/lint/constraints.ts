import { type Action, blocking, plain, reportAction, SUFFIX } from "./action.ts";
import { nameOf, notNullAdvice, notValidAdvice, quoteName, usingIndexAdvice } from "./advice.ts";
import type { Table } from "./schema.ts";
import {
  type AlterTableCmd,
  columnsIn,
  type Constraint,
  fieldsOf,
  type Node,
  textsOf,
} from "./tree.ts";

/** `SET NOT NULL`. */
export function setNotNull(action: Action): void {
  const { command: { name: column = "" }, table, name, isNew, subject } = action;
  const { notNull } = subject.schema.column(table, column);
  const isChecked = isNeverNull(table, column);
  learnColumn(action, { notNull: true });
  if (isNew || notNull || isChecked) return;
  reportAction(
    action,
    "adding-not-nullable-field",
    blocking(`SET NOT NULL scans table '${name}'`) +
      (table.isComplete ? "" : ", unless a validated CHECK proves that there is no NULL"),
    "Safe way: a constraint that is validated without blocking, which makes the scan unnecessary:",
    ...notNullAdvice(name, quoteName(column), plain(`${table.name}_${column}`)),
  );
}

/** `ADD CONSTRAINT`. */
export function addConstraint(action: Action): void {
  const { table, name, isNew, subject } = action;
  const constraint = constraintOf(action.command);
  if (constraint === undefined) return;
  const { contype, skip_validation: isNotValid, indexname } = constraint;
  const keys = textsOf(constraint.keys);
  const mayBeNull = keys.filter((column) => !table.columns.get(column)?.notNull);
  learnConstraints(table, undefined, [constraint]);
  const columns = keys.length > 0 ? keys : textsOf(constraint.fk_attrs);
  const label = quoteName(
    constraint.conname ?? plain([table.name, ...columns, SUFFIX[contype] ?? "new"].join("_")),
  );
  if (isNew) return;
  // Behind `ADD` and `CONSTRAINT name`.
  const from = action.parts[action.parts[1]?.word === "CONSTRAINT" ? 3 : 1];
  const definition = from ? subject.source(from.start, action.parts.at(-1)?.end) : "…";
  const list = `(${keys.map(quoteName).join(", ")})`;
  if (table.isPartitioned === undefined) subject.schema.want(table);
  const divided = table.isPartitioned
    ? [
      `'${name}' is partitioned. Safe way: add the same constraint to each partition first, then ` +
      "run this statement, which takes them over",
    ]
    : undefined;
  if (contype === "CONSTR_CHECK" && !isNotValid) {
    reportAction(
      action,
      "constraint-missing-not-valid",
      blocking(`adding a CHECK scans table '${name}'`),
      ...notValidAdvice(name, label, definition),
    );
  } else if (contype === "CONSTR_NOTNULL" && !isNotValid) {
    reportAction(
      action,
      "adding-not-nullable-field",
      blocking(`adding a NOT NULL constraint scans table '${name}'`),
      ...notValidAdvice(name, label, definition),
    );
  } else if (contype === "CONSTR_FOREIGN" && !isNotValid) {
    const { pktable } = constraint;
    const other = pktable ? nameOf(pktable) : "the other table";
    reportAction(
      action,
      "adding-foreign-key-constraint",
      `Blocks writes to '${name}' and '${other}' while every row of '${name}' is checked`,
      ...(divided ?? notValidAdvice(name, label, definition)),
    );
  } else if (contype === "CONSTR_UNIQUE" && indexname === undefined) {
    reportAction(
      action,
      "disallowed-unique-constraint",
      blocking(`adding a UNIQUE constraint builds an index on table '${name}'`),
      ...(divided ?? usingIndexAdvice(name, label, list, "UNIQUE", constraint)),
    );
  } else if (contype === "CONSTR_PRIMARY") {
    const nullable = indexname === undefined ? mayBeNull : nullableColumns(action, indexname);
    if (indexname !== undefined && nullable?.length === 0) return;
    reportAction(
      action,
      "adding-primary-key",
      indexname === undefined
        ? blocking(`adding a PRIMARY KEY builds an index on table '${name}'`)
        : blocking(`adding a PRIMARY KEY scans table '${name}'`) +
          (nullable ? "" : ", unless its columns are NOT NULL already"),
      ...(nullable ?? []).flatMap((column) => [
        `Safe way: make '${column}' NOT NULL first:`,
        ...notNullAdvice(name, quoteName(column), plain(`${table.name}_${column}`)),
      ]),
      ...indexname === undefined
        ? divided ?? usingIndexAdvice(name, label, list, "PRIMARY KEY", constraint)
        : [],
    );
  } else if (contype === "CONSTR_EXCLUSION") {
    reportAction(
      action,
      "adding-exclusion-constraint",
      blocking(`adding an exclusion constraint compares all rows of '${name}'`),
      "It cannot be added without blocking: choose a time of low traffic",
    );
  }
}

/** Columns of an index that may hold NULL; `undefined` where that is not known. */
function nullableColumns(
  { table, subject: { schema } }: Action,
  index: string,
): readonly string[] | undefined {
  const found = schema.index({ schema: table.schema, name: index });
  if (found === undefined) return undefined;
  return found.columns.filter((column) => {
    return !isNeverNull(table, column) && !schema.column(table, column).notNull;
  });
}

/** Whether a validated `CHECK` keeps a column from being NULL. */
function isNeverNull({ checks }: Table, column: string): boolean {
  return [...checks.values()].some((check) => check.isValidated && check.notNull.includes(column));
}

/** Notes whether a column may hold NULL. */
export function learnColumn(
  { table, command: { name = "" } }: Action,
  facts: { readonly notNull: boolean },
): void {
  table.columns.set(name, { ...table.columns.get(name), ...facts });
}

/** Notes what constraints say of NULL. @param own column that they stand with */
export function learnConstraints(
  table: Table,
  own: string | undefined,
  constraints: readonly Constraint[],
): void {
  for (const constraint of constraints) {
    const { contype, conname, raw_expr, skip_validation } = constraint;
    if (contype === "CONSTR_CHECK") {
      const columns = columnsIn(raw_expr);
      const about = own ?? (columns.length === 1 ? columns[0] : undefined);
      const base = plain([table.name, ...about === undefined ? [] : [about], "check"].join("_"));
      let label = conname ?? base;
      for (let next = 1; conname === undefined && table.checks.has(label); next++) {
        label = `${base}${next}`;
      }
      table.checks.set(label, {
        isValidated: !skip_validation,
        notNull: notNullOf(raw_expr),
        columns,
      });
    }
    if (contype === "CONSTR_PRIMARY") {
      for (const key of own === undefined ? textsOf(constraint.keys) : [own]) {
        table.columns.set(key, { ...table.columns.get(key), notNull: true });
      }
    }
  }
}

/** The columns of `column IS NOT NULL AND …`. */
function notNullOf(expression: Node | undefined): readonly string[] {
  const both = fieldsOf<{ boolop?: string; args?: readonly Node[] }>(expression, "BoolExpr");
  if (both?.boolop === "AND_EXPR") return (both.args ?? []).flatMap(notNullOf);
  const test = fieldsOf<{ arg?: Node; nulltesttype?: string }>(expression, "NullTest");
  if (test?.nulltesttype !== "IS_NOT_NULL" || !("ColumnRef" in (test.arg ?? {}))) return [];
  return columnsIn(test.arg);
}

/** The constraint that an action adds. */
export function constraintOf({ subtype, def }: AlterTableCmd): Constraint | undefined {
  return subtype === "AT_AddConstraint" ? fieldsOf<Constraint>(def, "Constraint") : undefined;
}
