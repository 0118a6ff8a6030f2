import type { Check, Column } from "../facts.ts";
import type { Table } from "../schema.ts";
import { type Action, reportAction } from "./action.ts";
import {
  addAndValidate,
  nameOf,
  newName,
  notNullAdvice,
  quoteName,
  usingIndexAdvice,
} from "./advice.ts";
import { columnsIn, type Fields, fieldsOf, type Node, textsIn } from "./tree.ts";

export function setNotNull(action: Action): void {
  const { command: { name: column = "" }, table, name, subject } = action;
  const isKnown = subject.schema.column(table, column).notNull || isNeverNull(table, column);
  learnColumn(table, column, { notNull: true });
  if (isKnown) return;
  reportAction(action, "adding-not-nullable-field", {
    what: "SET NOT NULL",
    unless: table.isComplete ? "" : ", unless a validated CHECK proves that there is no NULL",
    safeWay: [
      "Safe way: a constraint that is validated without blocking, which makes the scan unnecessary:",
      ...notNullAdvice(name, quoteName(column), newName(table.name, column)),
    ],
  });
}

export function addConstraint(action: Action): void {
  const { command, parts, table, name, isNew, subject } = action;
  const constraint = fieldsOf(command.def, "Constraint") ?? {};
  const { contype = "", keys, fk_attrs } = constraint;
  const columns = textsIn(keys);
  const nullable = columns.filter((column) => !table.columns.get(column)?.notNull);
  learnConstraints(table, undefined, [constraint]);
  if (isNew) return;
  if (table.isPartitioned === undefined) subject.schema.want(table);
  const all = columns.length > 0 ? columns : textsIn(fk_attrs);
  const label = constraintName(constraint, newName(table.name, ...all));
  const from = parts[parts[1]?.word === "CONSTRAINT" ? 3 : 1];
  const definition = from ? subject.source(from.start, parts.at(-1)?.end) : "…";
  const list = `(${columns.map(quoteName).join(", ")})`;
  const divided = table.isPartitioned && [
    `'${name}' is partitioned. Safe way: add the same constraint to each partition first, then ` +
    "run this statement, which takes them over",
  ];
  const validated = [
    "Safe way: check new rows at once and existing rows later, without blocking:",
    ...addAndValidate(name, label, definition),
  ];
  CONSTRAINTS[contype]?.(action, constraint, {
    ...{ isColumn: false, nullable, validated, unlessDivided: divided || validated },
    indexed: (kind) => divided || usingIndexAdvice(name, label, list, kind, constraint),
  });
}

interface SafeWays {
  readonly isColumn: boolean;
  readonly nullable: readonly string[];
  readonly validated: readonly string[];
  readonly unlessDivided: readonly string[];
  readonly indexed: (kind: "UNIQUE" | "PRIMARY KEY") => readonly string[];
}

export const CONSTRAINTS: Readonly<
  Record<string, (action: Action, constraint: Fields, ways: SafeWays) => void>
> = {
  CONSTR_CHECK: (action, { skip_validation }, { isColumn, validated: safeWay }) => {
    if (skip_validation) return;
    const what = isColumn ? "a column with a CHECK" : "a CHECK";
    reportAction(action, "constraint-missing-not-valid", { what, safeWay });
  },
  CONSTR_NOTNULL: (action, { skip_validation }, { validated: safeWay }) => {
    if (skip_validation) return;
    const what = "Adding a NOT NULL constraint";
    reportAction(action, "adding-not-nullable-field", { what, unless: "", safeWay });
  },
  CONSTR_FOREIGN: (action, { skip_validation, pktable }, { isColumn, unlessDivided: safeWay }) => {
    if (skip_validation) return;
    const other = pktable ? nameOf(pktable) : "the other table";
    if (isColumn) reportAction(action, "adding-foreign-key-constraint: column", { safeWay });
    else reportAction(action, "adding-foreign-key-constraint", { other, safeWay });
  },
  CONSTR_UNIQUE: (action, { indexname }, { isColumn, indexed }) => {
    if (indexname !== undefined) return;
    const what = isColumn ? "column" : "constraint";
    reportAction(action, "disallowed-unique-constraint", { what, safeWay: indexed("UNIQUE") });
  },
  CONSTR_PRIMARY: addPrimaryKey,
  CONSTR_EXCLUSION: (action) => {
    reportAction(action, "adding-exclusion-constraint", {});
  },
};

function addPrimaryKey(action: Action, { indexname }: Fields, ways: SafeWays): void {
  const { table, name, subject: { schema } } = action;
  const usesIndex = indexname !== undefined;
  const nullable = !usesIndex
    ? ways.nullable
    : schema.index({ schema: table.schema, name: indexname })?.columns
      .filter((column) => !isNeverNull(table, column) && !schema.column(table, column).notNull);
  if (usesIndex && nullable?.length === 0) return;
  reportAction(action, "adding-primary-key", {
    what: ways.isColumn ? "PRIMARY KEY column" : "PRIMARY KEY",
    does: usesIndex ? "scans" : "builds an index on",
    unless: nullable ? "" : ", unless its columns are NOT NULL already",
    safeWay: [
      ...(nullable ?? []).flatMap((column) => [
        `Safe way: make '${column}' NOT NULL first:`,
        ...notNullAdvice(name, quoteName(column), newName(table.name, column)),
      ]),
      ...usesIndex ? [] : ways.indexed("PRIMARY KEY"),
    ],
  });
}

function isNeverNull({ checks }: Table, column: string): boolean {
  return [...checks.values()].some((check) => check.isValidated && check.notNull.includes(column));
}

const SUFFIX: Readonly<Record<string, string>> = {
  CONSTR_CHECK: "check",
  CONSTR_NOTNULL: "not_null",
  CONSTR_UNIQUE: "key",
  CONSTR_PRIMARY: "pkey",
  CONSTR_FOREIGN: "fkey",
  CONSTR_EXCLUSION: "excl",
};

/** The name of a constraint; without one it gets a name like that which PostgreSQL would choose. */
export function constraintName({ conname, contype = "" }: Fields, base: string): string {
  return quoteName(conname ?? `${base}_${SUFFIX[contype] ?? "new"}`);
}

export function learnColumn(table: Table, name: string, facts: Column): void {
  table.columns.set(name, { ...table.columns.get(name), ...facts });
}

export function learnConstraints(
  table: Table,
  own: string | undefined,
  constraints: readonly Fields[],
): void {
  for (const { contype, conname, raw_expr, keys, skip_validation } of constraints) {
    if (contype === "CONSTR_CHECK") {
      const columns = columnsIn(raw_expr);
      const about = own ?? (columns.length === 1 ? columns[0] : undefined);
      const check = { isValidated: !skip_validation, notNull: notNullOf(raw_expr), columns };
      learnCheck(table, conname, about, check);
    }
    if (contype !== "CONSTR_PRIMARY") continue;
    for (const key of own === undefined ? textsIn(keys) : [own]) {
      learnColumn(table, key, { notNull: true });
    }
  }
}

function learnCheck(
  { name, checks }: Table,
  own: string | undefined,
  about: string | undefined,
  check: Check,
): void {
  const base = newName(name, ...about === undefined ? [] : [about], "check");
  let label = own ?? base;
  for (let next = 1; own === undefined && checks.has(label); next++) label = `${base}${next}`;
  checks.set(label, check);
}

/** Columns that a `CHECK` lets have no NULL. */
export function notNullOf(expression: Node | undefined): readonly string[] {
  const both = fieldsOf(expression, "BoolExpr");
  if (both?.boolop === "AND_EXPR") return (both.args ?? []).flatMap(notNullOf);
  const { nulltesttype, arg } = fieldsOf(expression, "NullTest") ?? {};
  return nulltesttype === "IS_NOT_NULL" && arg && "ColumnRef" in arg ? columnsIn(arg) : [];
}
