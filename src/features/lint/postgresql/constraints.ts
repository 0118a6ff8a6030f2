import type { Column } from "../facts.ts";
import type { Table } from "../schema.ts";
import {
  type Action,
  addAndValidate,
  filling,
  newName,
  notNullAdvice,
  qualifiedName,
  quoteName,
  usingIndexAdvice,
} from "./advice.ts";
import { columnsIn, type Fields, fieldsOf, type Node, textsIn } from "./tree.ts";

export function setNotNull(action: Action): void {
  const { column, table, subject } = action;
  const isKnown = subject.schema.column(table, column).notNull || isNeverNull(table, column);
  learnColumn(table, column, { notNull: true });
  if (isKnown) return;
  action.report("adding-not-nullable-field", {
    what: "SET NOT NULL",
    unless: table.isComplete ? "" : ", unless a validated CHECK proves that there is no NULL",
    safeWay: [
      `Safe way: once every release writes '${column}', rows without it in batches, then a CHECK, which replaces the scan:`,
      // A CHECK that is NOT VALID still checks every UPDATE.
      ...filling(action, column, "…").fill,
      ...notNullAdvice(action, column),
    ],
  });
}

export function addConstraint(action: Action): void {
  const { command, parts, table, name, isNew, subject } = action;
  const constraint = fieldsOf(command.def, "Constraint") ?? {};
  const columns = textsIn(constraint.keys);
  const nullable = columns.filter((column) => !table.columns.get(column)?.notNull);
  learnConstraints(table, undefined, [constraint]);
  if (isNew) return;
  if (table.isPartitioned === undefined) subject.schema.want(table);
  const all = columns.length > 0 ? columns : textsIn(constraint.fk_attrs);
  const from = parts[parts[1]?.word === "CONSTRAINT" ? 3 : 1];
  lintConstraint(action, constraint, {
    ...{ columns, nullable },
    base: newName(table.name, ...all),
    definition: from ? subject.source(from.start, parts.at(-1)?.end) : "…",
    ...(table.isPartitioned && {
      divided: [
        `'${name}' is partitioned. Safe way: add the same constraint to each partition first, then ` +
        "run this statement, which takes them over",
      ],
    }),
  });
}

interface Added {
  readonly columns: readonly string[];
  readonly nullable: readonly string[];
  readonly base: string;
  readonly definition: string;
  /** How the column is added first that it is a part of. */
  readonly column?: readonly string[];
  /** The advice where the table is partitioned. */
  readonly divided?: readonly string[];
}

export function lintConstraint(action: Action, constraint: Fields, added: Added): void {
  const { contype = "", skip_validation, pktable, indexname } = constraint;
  const { columns, base, definition, column, divided } = added;
  if (skip_validation) return;
  const label = quoteName(constraint.conname ?? `${base}_${SUFFIX[contype]}`);
  const { report, name } = action;
  const validated = [
    ...column ?? ["Safe way: once no release and no row breaks it, validate it without blocking:"],
    ...addAndValidate(name, label, definition),
  ];
  const list = `(${columns.map(quoteName).join(", ")})`;
  const indexed = (kind: "UNIQUE" | "PRIMARY KEY") =>
    divided ?? [...column ?? [], ...usingIndexAdvice(name, label, list, kind, constraint)];
  const other = pktable ? qualifiedName(pktable) : "the other table";
  const values = { unless: "", other, safeWay: validated };
  const what = column ? "a column with a CHECK" : "a CHECK";
  const reports: Readonly<Record<string, () => void>> = {
    CONSTR_CHECK: () => report("constraint-missing-not-valid", { ...values, what }),
    CONSTR_NOTNULL: () =>
      report("adding-not-nullable-field", { ...values, what: "Adding a NOT NULL constraint" }),
    CONSTR_FOREIGN: () =>
      column
        ? report("adding-foreign-key-constraint: column", values)
        : report("adding-foreign-key-constraint", { ...values, safeWay: divided ?? validated }),
    CONSTR_UNIQUE: () =>
      report("disallowed-unique-constraint", {
        what: column ? "column" : "constraint",
        safeWay: indexed("UNIQUE"),
      }),
    CONSTR_PRIMARY: () => addPrimaryKey(action, constraint, added, indexed("PRIMARY KEY")),
    CONSTR_EXCLUSION: () => report("adding-exclusion-constraint", {}),
  };
  if (contype !== "CONSTR_UNIQUE" || indexname === undefined) reports[contype]?.();
}

function addPrimaryKey(
  action: Action,
  { indexname }: Fields,
  added: Added,
  indexed: readonly string[],
): void {
  const { table, subject: { schema } } = action;
  const usesIndex = indexname !== undefined;
  const nullable = !usesIndex
    ? added.nullable
    : schema.index({ schema: table.schema, name: indexname })?.columns
      .filter((column) => !isNeverNull(table, column) && !schema.column(table, column).notNull);
  if (usesIndex && nullable?.length === 0) return;
  action.report("adding-primary-key", {
    what: added.column ? "PRIMARY KEY column" : "PRIMARY KEY",
    does: usesIndex ? "scans" : "builds an index on",
    unless: nullable ? "" : ", unless its columns are NOT NULL already",
    safeWay: [
      ...(nullable ?? []).flatMap((column) => [
        `Safe way: make '${column}' NOT NULL first, once every release writes it:`,
        ...filling(action, column, "…").fill,
        ...notNullAdvice(action, column),
      ]),
      ...usesIndex ? [] : indexed,
    ],
  });
}

function isNeverNull({ checks }: Table, column: string): boolean {
  return [...checks.values()].some((check) => check.isValidated && check.notNull.includes(column));
}

/** Without a name it gets one like that which PostgreSQL would choose. */
const SUFFIX: Readonly<Record<string, string>> = {
  CONSTR_CHECK: "check",
  CONSTR_NOTNULL: "not_null",
  CONSTR_UNIQUE: "key",
  CONSTR_PRIMARY: "pkey",
  CONSTR_FOREIGN: "fkey",
  CONSTR_EXCLUSION: "excl",
};

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
      const base = newName(table.name, ...about === undefined ? [] : [about], "check");
      let label = conname ?? base;
      for (let next = 1; conname === undefined && table.checks.has(label); next++) {
        label = `${base}${next}`;
      }
      const notNull = notNullOf(raw_expr);
      table.checks.set(label, { isValidated: !skip_validation, notNull, columns });
    }
    if (contype !== "CONSTR_PRIMARY") continue;
    for (const key of own === undefined ? textsIn(keys) : [own]) {
      learnColumn(table, key, { notNull: true });
    }
  }
}

/** Columns that a `CHECK` lets have no NULL. */
export function notNullOf(expression: Node | undefined): readonly string[] {
  const both = fieldsOf(expression, "BoolExpr");
  if (both?.boolop === "AND_EXPR") return (both.args ?? []).flatMap(notNullOf);
  const { nulltesttype, arg } = fieldsOf(expression, "NullTest") ?? {};
  return nulltesttype === "IS_NOT_NULL" && arg && "ColumnRef" in arg ? columnsIn(arg) : [];
}
