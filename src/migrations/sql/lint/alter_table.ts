import {
  inBatches,
  LATER,
  notNullAdvice,
  notValidAdvice,
  quoteName,
  usingIndexAdvice,
} from "./advice.ts";
import { columnTypeOf, typeChange } from "./column_types.ts";
import type { Schema, Table } from "./schema.ts";
import type { Part } from "./statement.ts";
import type { Subject } from "./subject.ts";
import {
  type AlterTableCmd,
  type ColumnDef,
  type Constraint,
  fieldsOf,
  type Node,
  nodesIn,
  type RangeVar,
  textsOf,
  type TypeName,
} from "./tree.ts";
import { volatilityOf } from "./volatility.ts";

/** One action of an `ALTER TABLE`. */
interface Action {
  readonly command: AlterTableCmd;
  readonly parts: readonly Part[];
  readonly at: number;
  readonly table: Table;
  /** The table as the file writes it. */
  readonly name: string;
  readonly isNew: boolean;
  readonly subject: Subject;
}

/** What an action locks: nothing worth telling, writes, or reads and writes. */
export type Strength = "none" | "writes" | "reads";

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

function addColumn(action: Action): void {
  const { command, table, name, at, isNew, subject } = action;
  const definition = fieldsOf<ColumnDef>(command.def, "ColumnDef");
  if (definition?.colname === undefined) return;
  const { colname, typeName } = definition;
  const constraints = (definition.constraints ?? [])
    .flatMap((node) => fieldsOf<Constraint>(node, "Constraint") ?? []);
  const has = (contype: string) => constraints.find((found) => found.contype === contype);
  const written = textsOf(typeName?.names).at(-1) ?? "";
  const isSerial = /^(?:small|big)?serial[248]?$/.test(written);
  const generated = has("CONSTR_GENERATED");
  const isRequired = has("CONSTR_NOTNULL") !== undefined || has("CONSTR_PRIMARY") !== undefined;
  const type = columnTypeOf(typeName);
  table.columns.set(colname, { ...(type && { type }), notNull: isRequired || isSerial });
  learnConstraints(table, colname, constraints);
  if (isNew) return;
  const column = quoteName(colname);
  const pieces = columnPieces(action);
  const bare = `  ALTER TABLE ${name} ADD COLUMN ${column} ${pieces.type};`;
  const base = plain(`${table.name}_${colname}`);

  if (isSerial || has("CONSTR_IDENTITY")) {
    const sequence = quoteName(`${base}_seq`);
    const wide = /small|2/.test(written)
      ? "smallint"
      : /big|8/.test(written)
      ? "bigint"
      : isSerial
      ? "integer"
      : pieces.type;
    subject.report(at, {
      rule: "adding-field-with-default",
      message: rewrites(`${isSerial ? written : "IDENTITY"} writes the whole table '${name}' anew`),
      table,
      advice: [
        "Safe way: a sequence that new rows use at once, and old rows in batches:",
        `  CREATE SEQUENCE ${sequence};`,
        `  ALTER TABLE ${name} ADD COLUMN ${column} ${wide};`,
        `  ALTER TABLE ${name} ALTER COLUMN ${column} SET DEFAULT nextval('${
          sequence.replaceAll("'", "''")
        }');`,
        `  ALTER SEQUENCE ${sequence} OWNED BY ${name}.${column};`,
        ...inBatches(name, `${column} = DEFAULT`, `${column} IS NULL`),
      ],
    });
  } else if (generated !== undefined && generated.generated_kind !== "v") {
    subject.report(at, {
      rule: "adding-field-with-default",
      message: rewrites(`a column that is STORED writes the whole table '${name}' anew`),
      table,
      advice: [
        "Safe way: a plain column, a trigger that fills it for new rows, and old rows in batches:",
        bare,
        `  -- CREATE TRIGGER … BEFORE INSERT OR UPDATE ON ${name}, which sets ${column}`,
        ...inBatches(name, `${column} = ${pieces.generated}`, `${column} IS NULL`),
      ],
    });
  }
  const fallback = has("CONSTR_DEFAULT");
  const volatility = volatilityOf(fallback?.raw_expr);
  if (volatility !== "stable") {
    const unless = volatility === "unknown" ? ", unless its functions are declared STABLE" : "";
    subject.report(at, {
      rule: "adding-field-with-default",
      message: rewrites(
        `a DEFAULT that differs from row to row writes the whole table '${name}' anew`,
      ) + unless,
      table,
      advice: [
        "Safe way: the column, then the default for new rows, and old rows in batches:",
        bare,
        `  ALTER TABLE ${name} ALTER COLUMN ${column} SET DEFAULT ${pieces.fallback};`,
        ...inBatches(name, `${column} = DEFAULT`, `${column} IS NULL`),
      ],
    });
  }
  const fills = fallback !== undefined && !isNull(fallback.raw_expr);
  if (isRequired && !fills && !isSerial && !generated && !has("CONSTR_IDENTITY")) {
    subject.report(at, {
      rule: "adding-required-field",
      message: `A column that is NOT NULL and has no DEFAULT fails as soon as '${name}' has a row`,
      table,
      advice: [
        "Safe way: with a constant default, which is instant and writes nothing:",
        `  ALTER TABLE ${name} ADD COLUMN ${column} ${pieces.type} NOT NULL DEFAULT …;`,
        "Or without NOT NULL, filled in batches, and then:",
        ...notNullAdvice(name, column, base),
      ],
    });
  }
  for (const constraint of constraints) {
    const label = quoteName(constraint.conname ?? `${base}_${SUFFIX[constraint.contype] ?? ""}`);
    if (constraint.contype === "CONSTR_CHECK" && !constraint.skip_validation) {
      subject.report(at, {
        rule: "constraint-missing-not-valid",
        message: scans(`a CHECK with the column reads every row of '${name}'`),
        table,
        advice: [
          "Safe way: the column first, the constraint by itself:",
          bare,
          ...notValidAdvice(name, label, `CHECK (${column} …)`).slice(1),
        ],
      });
    }
    if (constraint.contype === "CONSTR_UNIQUE" || constraint.contype === "CONSTR_PRIMARY") {
      const isUnique = constraint.contype === "CONSTR_UNIQUE";
      const kind = isUnique ? "UNIQUE" : "PRIMARY KEY";
      subject.report(at, {
        rule: isUnique ? "disallowed-unique-constraint" : "adding-primary-key",
        message: scans(`${kind} with the column builds an index of '${name}'`),
        table,
        advice: [
          "Safe way: the column first, the constraint by itself:",
          bare,
          ...usingIndexAdvice(name, label, `(${column})`, kind),
        ],
      });
    }
    // A new column without a value has nothing to check.
    if (constraint.contype === "CONSTR_FOREIGN" && fills && !constraint.skip_validation) {
      subject.report(at, {
        rule: "adding-foreign-key-constraint",
        message: scans(`REFERENCES with a DEFAULT checks every row of '${name}'`),
        table,
        advice: [
          "Safe way: the column first, the constraint by itself:",
          bare,
          ...notValidAdvice(name, label, `FOREIGN KEY (${column}) REFERENCES …`).slice(1),
        ],
      });
    }
  }
}

const SUFFIX: Readonly<Record<string, string>> = {
  CONSTR_CHECK: "check",
  CONSTR_UNIQUE: "key",
  CONSTR_PRIMARY: "pkey",
  CONSTR_FOREIGN: "fkey",
  CONSTR_EXCLUSION: "excl",
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
  const to = columnTypeOf(definition?.typeName);
  const from = subject.schema.column(table, column).type;
  table.columns.set(column, { ...table.columns.get(column), ...(to && { type: to }) });
  if (isNew) return;
  const converts = definition?.raw_default !== undefined &&
    !isColumn(definition.raw_default, column);
  const change = converts || definition?.collClause
    ? "rewrite"
    : from && to
    ? typeChange(from, to)
    : undefined;
  if (change === "free") return;
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

function setNotNull(action: Action): void {
  const { command: { name: column = "" }, table, name, at, isNew, subject } = action;
  const { notNull } = subject.schema.column(table, column);
  const isChecked = [...table.checks.values()]
    .some((check) => check.isValidated && check.notNull === column);
  learnColumn(action, { notNull: true });
  if (isNew || notNull || isChecked) return;
  subject.report(at, {
    rule: "adding-not-nullable-field",
    message: scans(`every row of '${name}' is looked at for a NULL`) +
      (table.isComplete ? "" : ", unless a validated CHECK says that there is none"),
    table,
    advice: [
      "Safe way: a constraint that is checked while others go on, which then stands for the scan:",
      ...notNullAdvice(name, quoteName(column), plain(`${table.name}_${column}`)),
    ],
  });
}

function addConstraint(action: Action): void {
  const { table, name, at, isNew, subject } = action;
  const constraint = constraintOf(action.command);
  if (constraint === undefined) return;
  learnConstraints(table, undefined, [constraint]);
  const { contype, skip_validation: isNotValid, indexname } = constraint;
  const keys = textsOf(constraint.keys);
  const columns = keys.length > 0 ? keys : textsOf(constraint.fk_attrs);
  const label = quoteName(
    constraint.conname ?? plain([table.name, ...columns, SUFFIX[contype] ?? "new"].join("_")),
  );
  if (isNew) return;
  // Behind `ADD` and `CONSTRAINT name`.
  const from = action.parts[action.parts[1]?.word === "CONSTRAINT" ? 3 : 1];
  const definition = from ? subject.source(from.start, action.parts.at(-1)?.end) : "…";
  const list = `(${keys.map(quoteName).join(", ")})`;
  if (contype === "CONSTR_CHECK" && !isNotValid) {
    subject.report(at, {
      rule: "constraint-missing-not-valid",
      message: scans(`every row of '${name}' is checked`),
      table,
      advice: notValidAdvice(name, label, definition),
    });
  } else if (contype === "CONSTR_NOTNULL" && !isNotValid) {
    subject.report(at, {
      rule: "adding-not-nullable-field",
      message: scans(`every row of '${name}' is looked at for a NULL`),
      table,
      advice: notValidAdvice(name, label, definition),
    });
  } else if (contype === "CONSTR_FOREIGN" && !isNotValid) {
    const { pktable } = constraint;
    const other = pktable ? nameOf(pktable) : "the other table";
    subject.report(at, {
      rule: "adding-foreign-key-constraint",
      message: `Nobody writes to '${name}' or '${other}' while every row of '${name}' is checked`,
      table,
      advice: notValidAdvice(name, label, definition),
    });
  } else if (contype === "CONSTR_UNIQUE" && indexname === undefined) {
    subject.report(at, {
      rule: "disallowed-unique-constraint",
      message: scans(`an index of '${name}' is built`),
      table,
      advice: usingIndexAdvice(name, label, list, "UNIQUE"),
    });
  } else if (contype === "CONSTR_PRIMARY") {
    const nullable = indexname === undefined ? keys : nullableColumns(action, indexname);
    if (indexname !== undefined && nullable?.length === 0) return;
    const first = (nullable ?? []).filter((column) => !table.columns.get(column)?.notNull);
    subject.report(at, {
      rule: "adding-primary-key",
      message: indexname === undefined
        ? scans(`an index of '${name}' is built`)
        : scans(`every row of '${name}' is looked at for a NULL`) +
          (nullable ? "" : ", unless the columns are NOT NULL already"),
      table,
      advice: [
        ...first.flatMap((column) => [
          `Safe way: '${column}' is made NOT NULL first:`,
          ...notNullAdvice(name, quoteName(column), plain(`${table.name}_${column}`)),
        ]),
        ...indexname === undefined ? usingIndexAdvice(name, label, list, "PRIMARY KEY") : [],
      ],
    });
  } else if (contype === "CONSTR_EXCLUSION") {
    subject.report(at, {
      rule: "adding-exclusion-constraint",
      message: scans(`every row of '${name}' is compared with the others`),
      table,
      advice: ["There is no way to add it while others go on: choose a quiet hour"],
    });
  }
}

/** Columns of an index that may hold NULL; `undefined` where that is not known. */
function nullableColumns(
  { table, subject: { schema } }: Action,
  index: string,
): readonly string[] | undefined {
  const found = schema.index(index);
  if (found === undefined) {
    schema.want(table);
    return undefined;
  }
  return found.columns.filter((column) => {
    const isChecked = [...table.checks.values()]
      .some((check) => check.isValidated && check.notNull === column);
    return !isChecked && !schema.column(table, column).notNull;
  });
}

function attachPartition({ command, name, at, subject }: Action): void {
  const part = fieldsOf<{ name: RangeVar; bound?: { is_default?: boolean } }>(
    command.def,
    "PartitionCmd",
  );
  if (part === undefined) return;
  const { schema } = subject;
  const table = schema.table(nameIn(part.name));
  const isChecked = [...table.checks.values()].some(({ isValidated }) => isValidated);
  if (schema.isNew(table) || isChecked) return;
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
      `A DEFAULT partition of '${name}' is read, too, unless it has such a CHECK`,
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

/** Sentences that several rules end in one way. */
function rewrites(what: string): string {
  return capital(`${what}, while nobody reads or writes it`);
}

function scans(what: string): string {
  return capital(`${what}, while nobody reads or writes it`);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function learnColumn(
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
      const label = conname ?? plain([table.name, ...own ? [own] : [], "check"].join("_"));
      const notNull = notNullOf(raw_expr);
      const isValidated = !skip_validation;
      table.checks.set(label, { isValidated, ...(notNull !== undefined && { notNull }) });
    }
    if (contype === "CONSTR_PRIMARY") {
      for (const key of own === undefined ? textsOf(constraint.keys) : [own]) {
        table.columns.set(key, { ...table.columns.get(key), notNull: true });
      }
    }
  }
}

/** The column of `column IS NOT NULL`. */
function notNullOf(expression: Node | undefined): string | undefined {
  const test = fieldsOf<{ arg?: Node; nulltesttype?: string }>(expression, "NullTest");
  if (test?.nulltesttype !== "IS_NOT_NULL") return undefined;
  return textsOf(fieldsOf<{ fields?: readonly Node[] }>(test.arg, "ColumnRef")?.fields).at(-1);
}

/** Whether an expression is the column as it is, or with a cast that `typeChange()` judges. */
function isColumn(expression: Node, column: string): boolean {
  const cast = fieldsOf<{ arg?: Node; typeName?: TypeName }>(expression, "TypeCast");
  const inner = cast?.arg ?? expression;
  const reference = fieldsOf<{ fields?: readonly Node[] }>(inner, "ColumnRef");
  return reference !== undefined && textsOf(reference.fields).at(-1) === column;
}

function isNull(expression: Node | undefined): boolean {
  for (const [kind, fields] of nodesIn(expression)) {
    if (kind === "A_Const") return fields.isnull === true;
    if (kind !== "TypeCast") return false;
  }
  return true;
}

function constraintOf({ subtype, def }: AlterTableCmd): Constraint | undefined {
  return subtype === "AT_AddConstraint" ? fieldsOf<Constraint>(def, "Constraint") : undefined;
}

/** The name of a table as PostgreSQL has to read it. */
export function nameOf({ schemaname, relname }: RangeVar): string {
  return [schemaname, relname].flatMap((name) => name === undefined ? [] : quoteName(name))
    .join(".");
}

/** The same, for {@linkcode Schema}. */
export function nameIn({ schemaname, relname }: RangeVar): { schema?: string; name: string } {
  return { ...(schemaname !== undefined && { schema: schemaname }), name: relname };
}

/** A name for something new: at most what fits with a suffix. */
function plain(name: string): string {
  return name.slice(0, 55);
}

const CLAUSES = new Set([
  ...["CONSTRAINT", "NOT", "NULL", "DEFAULT", "GENERATED", "UNIQUE", "PRIMARY", "CHECK"],
  ...["REFERENCES", "COLLATE", "USING", "DEFERRABLE", "INITIALLY", "STORAGE", "COMPRESSION"],
]);

/** The texts that a column's definition consists of, as the file has them. */
function columnPieces({ parts, subject }: Action) {
  const words = parts.map(({ word, isQuoted }) => isQuoted ? "" : word);
  const text = (from: number, to: number) => {
    const [first, last] = [parts[from], parts[to - 1]];
    return first && last && to > from ? subject.source(first.start, last.end) : "…";
  };
  const behind = (from: number) => {
    let depth = 0;
    for (let at = from; at < parts.length; at++) {
      if (parts[at]?.text === "(") depth++;
      if (parts[at]?.text === ")") depth--;
      if (depth === 0 && at > from && CLAUSES.has(words[at] ?? "")) return at;
    }
    return parts.length;
  };
  const clause = (word: string) => {
    const at = words.indexOf(word);
    return at < 0 ? "…" : text(at + 1, behind(at + 1));
  };
  // ADD [COLUMN] [IF NOT EXISTS] name type
  const skipped = ["ADD", "COLUMN", "IF", "NOT", "EXISTS"];
  let start = 0;
  while (skipped[start] !== undefined && skipped.includes(words[start] ?? "")) start++;
  const type = words.indexOf("TYPE");
  const generated = words.indexOf("AS");
  return {
    type: text(start + 1, behind(start + 1)),
    fallback: clause("DEFAULT"),
    using: clause("USING"),
    newType: type < 0 ? "…" : text(type + 1, behind(type + 1)),
    generated: generated < 0 ? "…" : text(generated + 1, parts.length - 1),
  };
}
