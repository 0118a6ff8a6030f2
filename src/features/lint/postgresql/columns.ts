import { indexOfWord } from "../statement.ts";
import { stringLiteral } from "../../../migrations/sql/files/quoting.ts";
import {
  type Action,
  addAndValidate,
  fillInBatches,
  filling,
  newName,
  notNullAdvice,
  qualifiedName,
  quoteName,
  secondColumn,
} from "./advice.ts";
import { learnColumn, learnConstraints, lintConstraint } from "./constraints.ts";
import { type Fields, fieldsIn, fieldsOf, type Node, nodesIn, textsIn } from "./tree.ts";
import {
  columnTypeOf,
  columnTypeText,
  domainNamed,
  domainOf,
  type TypeChange,
  typeChange,
  volatilityOf,
} from "./types.ts";

export function addColumn(action: Action): void {
  const { command: { def, missing_ok }, table, isNew, subject: { schema } } = action;
  const definition = fieldsOf(def, "ColumnDef") ?? {};
  const { colname } = definition;
  if (colname === undefined) return;
  const column = addedColumn(action, definition);
  const { type, notNull } = column;
  // With IF NOT EXISTS it may be another one, which is there already.
  if (!missing_ok) table.columns.set(colname, { ...(type && { type }), notNull });
  learnConstraints(table, colname, column.constraints);
  if (isNew) return;
  if (!missing_ok) schema.note("column", table.schema, table.name, colname);
  const values = columnValues(action, colname, column);
  for (const [finding, isFound] of column.findings) {
    if (isFound) action.report(finding, values);
  }
  const { column: quoted, base } = values;
  const first = ["Safe way: first this statement without the constraint, then:"];
  for (const constraint of column.constraints) {
    const { contype } = constraint;
    // A new column without a value has nothing to check.
    if (contype === "CONSTR_NOTNULL" || contype === "CONSTR_FOREIGN" && !column.isFilled) continue;
    const definition = contype === "CONSTR_CHECK"
      ? `CHECK (${quoted} …)`
      : `FOREIGN KEY (${quoted}) REFERENCES …`;
    const added = { columns: [colname], nullable: [], base, definition, column: first };
    lintConstraint(action, constraint, added);
  }
}

type AddedColumn = ReturnType<typeof addedColumn>;

function addedColumn({ subject }: Action, { typeName, constraints: nodes }: Fields) {
  const constraints = fieldsIn(nodes, "Constraint");
  const has = (contype: string) => constraints.find((found) => found.contype === contype);
  const written = textsIn(typeName?.names).at(-1) ?? "";
  const isSerial = /^(?:small|big)?serial[248]?$/.test(written);
  const hasSequence = isSerial || has("CONSTR_IDENTITY") !== undefined;
  const generated = has("CONSTR_GENERATED");
  const isRequired = has("CONSTR_NOTNULL") !== undefined || has("CONSTR_PRIMARY") !== undefined;
  const fallback = has("CONSTR_DEFAULT");
  const isFilled = fallback !== undefined && !isNull(fallback.raw_expr);
  const volatility = volatilityOf(fallback?.raw_expr);
  const domain = domainOf(typeName, subject.schema);
  return {
    type: columnTypeOf(typeName),
    ...{ constraints, written, isSerial, isFilled, volatility, domain },
    notNull: isRequired || isSerial,
    /** Whether it gets NOT NULL at the end of a safe way. */
    mustBeFilled: isRequired || hasSequence,
    findings: [
      ["adding-field-with-default: sequence", hasSequence],
      ["adding-field-with-default: STORED", generated && generated.generated_kind !== "v"],
      ["adding-field-with-default: domain", domain?.isConstrained],
      ["adding-field-with-default: volatile", volatility !== "stable"],
      ["adding-required-field", isRequired && !isFilled && !hasSequence && !generated],
    ] as const,
  };
}

function columnValues(action: Action, colname: string, added: AddedColumn) {
  const { table: { name }, name: table, relation } = action;
  const { written, isSerial, domain, volatility } = added;
  const column = quoteName(colname);
  const base = newName(name, colname);
  const texts = columnTexts(action);
  const sequence = qualifiedName({ ...relation, relname: `${base}_seq` });
  return {
    ...{ table, column, base, sequence, type: texts.type, default: texts.default },
    sequenceKind: isSerial ? `a ${written}` : "an IDENTITY",
    sequenceLiteral: stringLiteral(sequence),
    numberType: INTEGERS[added.type?.name ?? ""] ?? texts.type,
    fillDefault: fillInBatches(table, `${column} = DEFAULT`, `${column} IS NULL`),
    ...filling(action, colname, texts.generated),
    laterNotNull: added.mustBeFilled ? notNullAdvice(action, colname) : [],
    baseType: domain ? columnTypeText(domain.base) : "",
    checkLater: addAndValidate(table, quoteName(`${base}_check`), `CHECK (${column} …)`),
    unless: volatility === "unknown" ? ", unless its functions are declared STABLE" : "",
  };
}

const BEFORE_NAME = ["ADD", "COLUMN", "IF", "NOT", "EXISTS"];
const CLAUSES =
  ("CONSTRAINT NOT NULL DEFAULT GENERATED UNIQUE PRIMARY CHECK REFERENCES COLLATE USING " +
    "DEFERRABLE INITIALLY STORAGE COMPRESSION STORED VIRTUAL").split(" ");

/** The texts of a column's definition, as in the file; `…` where a part is missing. */
function columnTexts({ parts, subject }: Action) {
  const textBehind = (at: number) => {
    const from = at + 1;
    const [first] = parts.slice(from);
    if (at < 0 || first === undefined) return "…";
    // The word of a clause may also be its value: DEFAULT NULL.
    const skipped = first.text === "(" ? from : from + 1;
    const next = indexOfWord(parts.slice(skipped), ...CLAUSES);
    const last = parts[next < 0 ? parts.length - 1 : skipped + next - 1] ?? first;
    return subject.source(first.start, last.end);
  };
  return {
    type: textBehind(
      parts.findIndex(({ word, isQuoted }) => isQuoted || !BEFORE_NAME.includes(word)),
    ),
    default: textBehind(indexOfWord(parts, "DEFAULT")),
    using: textBehind(indexOfWord(parts, "USING")),
    newType: textBehind(indexOfWord(parts, "TYPE")),
    generated: textBehind(indexOfWord(parts, "AS")),
  };
}

const INTEGERS: Record<string, string> = { int2: "smallint", int4: "integer", int8: "bigint" };

function isNull(expression: Node | undefined): boolean {
  for (const [kind, fields] of nodesIn(expression)) {
    if (kind === "A_Const") return fields.isnull === true;
    if (kind !== "TypeCast") return false;
  }
  return true;
}

export function dropColumn(action: Action): void {
  const { column, table, name, at, isNew, subject: { schema, report } } = action;
  const { notNull, hasDefault } = schema.column(table, column);
  const isKnown = table.columns.delete(column);
  if (isNew && (isKnown || table.isComplete)) return;
  if (schema.isNoted("column", table.schema, table.name, column)) return;
  report(at, notNull === false || hasDefault ? "drop-column" : "drop-column: NOT NULL", {
    ...{ table: name, column, quoted: quoteName(column), nullable: "" },
    unless: notNull && hasDefault === false ? "" : ", if it is NOT NULL without a DEFAULT",
  }, table);
}

export function alterColumnType(action: Action): void {
  const { command: { def }, column, table, isNew } = action;
  const definition = fieldsOf(def, "ColumnDef") ?? {};
  const change = changeOf(action, definition);
  const type = columnTypeOf(definition.typeName);
  learnColumn(table, column, { ...(type && { type }) });
  if (isNew) return;
  if (change === "free") return lintDependents(action);
  const texts = columnTexts(action);
  const value = definition.raw_default ? `(${texts.using})` : quoteName(column);
  action.report("changing-column-type", {
    ...secondColumn(action, column, `${column}_new`, value),
    type: texts.newType,
    unless: change === "unknown"
      ? `, unless the new type only widens the old one (a longer varchar, a numeric with more digits, ` +
        `varchar to text): the type of '${column}' is not known here`
      : change === "by zone"
      ? ", unless TimeZone is UTC in the session: then only its indexes are rebuilt"
      : "",
  });
}

function changeOf(
  { column, table, subject: { schema } }: Action,
  { typeName, raw_default: using, collClause }: Fields,
): TypeChange | "unknown" {
  const domain = domainOf(typeName, schema);
  const to = domain?.base ?? columnTypeOf(typeName);
  const known = schema.column(table, column).type;
  const from = known && !known.isArray
    ? domainNamed(known.name.split("."), schema)?.base ?? known
    : known;
  if (using && !isColumn(using, column) || collClause || domain?.isConstrained) return "rewrite";
  return from && to ? typeChange(from, to) : "unknown";
}

/** A change of type that does not rewrite the rows may still rewrite what is computed from the column. */
function lintDependents(action: Action): void {
  const { column, table, subject: { schema, source } } = action;
  schema.want(table);
  const check = [...table.checks].find(([, { columns }]) => columns.includes(column));
  const index = schema.indexesOf(table)
    .find(([, { computedFrom = [] }]) => computedFrom.includes(column));
  const dependents = [["CHECK", check], ["index", index]] as const;
  for (const [kind, [name] = []] of dependents) {
    if (name === undefined) continue;
    const texts = { name, quoted: quoteName(name), statement: source(0) };
    action.report(`changing-column-type: ${kind}`, texts);
  }
}

/** Whether an expression is the column as it is, or with a cast that `typeChange()` judges. */
function isColumn(expression: Node, column: string): boolean {
  const inner = fieldsOf(expression, "TypeCast")?.arg ?? expression;
  return textsIn(fieldsOf(inner, "ColumnRef")?.fields).at(-1) === column;
}
