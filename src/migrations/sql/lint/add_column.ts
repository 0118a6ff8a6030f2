import { stringLiteral } from "../files/quoting.ts";
import { type Action, blocking, columnPieces, plain, reportAction, SUFFIX } from "./action.ts";
import { inBatches, notNullAdvice, notValidAdvice, quoteName, usingIndexAdvice } from "./advice.ts";
import { columnTypeOf, columnTypeText } from "./column_types.ts";
import { learnConstraints } from "./constraints.ts";
import { type ColumnDef, type Constraint, fieldsOf, type Node, nodesIn, textsOf } from "./tree.ts";
import { domainOf } from "./types.ts";
import { volatilityOf } from "./volatility.ts";

/** `ADD COLUMN`, and the constraints that stand with it. */
export function addColumn(action: Action): void {
  const { command, table, name, isNew, subject } = action;
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
  // With IF NOT EXISTS it may be another one, which is there already.
  if (!command.missing_ok) {
    table.columns.set(colname, { ...(type && { type }), notNull: isRequired || isSerial });
  }
  learnConstraints(table, colname, constraints);
  if (isNew) return;
  if (!command.missing_ok) action.subject.schema.note("column", table.schema, table.name, colname);
  const column = quoteName(colname);
  const pieces = columnPieces(action);
  const bare = `  ALTER TABLE ${name} ADD COLUMN ${column} ${pieces.type};`;
  const base = plain(`${table.name}_${colname}`);
  const required = isRequired || isSerial || has("CONSTR_IDENTITY")
    ? ["  -- in a later file, once all rows are filled:", ...notNullAdvice(name, column, base)]
    : [];

  if (isSerial || has("CONSTR_IDENTITY")) {
    const sequence = `${ownSchema(name)}${quoteName(`${base}_seq`)}`;
    const wide = /small|2/.test(written)
      ? "smallint"
      : /big|8/.test(written)
      ? "bigint"
      : isSerial
      ? "integer"
      : pieces.type;
    reportAction(
      action,
      "adding-field-with-default",
      blocking(
        `adding ${isSerial ? `a ${written}` : "an IDENTITY"} column rewrites table '${name}'`,
      ),
      "Safe way: a sequence for new rows, then existing rows in batches:",
      `  CREATE SEQUENCE ${sequence};`,
      `  ALTER TABLE ${name} ADD COLUMN ${column} ${wide};`,
      `  ALTER TABLE ${name} ALTER COLUMN ${column} SET DEFAULT nextval(${
        stringLiteral(sequence)
      });`,
      `  ALTER SEQUENCE ${sequence} OWNED BY ${name}.${column};`,
      ...inBatches(name, `${column} = DEFAULT`, `${column} IS NULL`),
      ...required,
    );
  } else if (generated !== undefined && generated.generated_kind !== "v") {
    reportAction(
      action,
      "adding-field-with-default",
      blocking(`adding a STORED column rewrites table '${name}'`),
      "Safe way: a plain column, a trigger that fills it in new rows, then existing rows in batches:",
      bare,
      `  -- CREATE TRIGGER … BEFORE INSERT OR UPDATE ON ${name}, which sets ${column}`,
      ...inBatches(name, `${column} = ${pieces.generated}`, `${column} IS NULL`),
    );
  }
  const domain = domainOf(typeName, subject.schema);
  if (domain?.isConstrained) {
    reportAction(
      action,
      "adding-field-with-default",
      blocking(
        `adding a column of the domain '${pieces.type}', which has constraints, rewrites table '${name}'`,
      ),
      "Safe way: a column with the base type of the domain, and its CHECK as a table constraint:",
      `  ALTER TABLE ${name} ADD COLUMN ${column} ${columnTypeText(domain.base)};`,
      ...notValidAdvice(name, quoteName(`${base}_check`), `CHECK (${column} …)`).slice(1),
    );
  }
  const fallback = has("CONSTR_DEFAULT");
  const volatility = volatilityOf(fallback?.raw_expr);
  if (volatility !== "stable") {
    const unless = volatility === "unknown" ? ", unless its functions are declared STABLE" : "";
    reportAction(
      action,
      "adding-field-with-default",
      blocking(
        `adding a column with a volatile DEFAULT rewrites table '${name}'`,
      ) + unless,
      "Safe way: the column, then the default for new rows, then existing rows in batches:",
      bare,
      `  ALTER TABLE ${name} ALTER COLUMN ${column} SET DEFAULT ${pieces.fallback};`,
      ...inBatches(name, `${column} = DEFAULT`, `${column} IS NULL`),
      ...required,
    );
  }
  const fills = fallback !== undefined && !isNull(fallback.raw_expr);
  if (isRequired && !fills && !isSerial && !generated && !has("CONSTR_IDENTITY")) {
    reportAction(
      action,
      "adding-required-field",
      `Adding a NOT NULL column without a DEFAULT fails if table '${name}' has rows`,
      "Safe way: with a constant default, which is instant and rewrites nothing:",
      `  ALTER TABLE ${name} ADD COLUMN ${column} ${pieces.type} NOT NULL DEFAULT …;`,
      "Or without NOT NULL, filled in batches, and then:",
      ...notNullAdvice(name, column, base),
    );
  }
  for (const constraint of constraints) {
    const label = quoteName(constraint.conname ?? `${base}_${SUFFIX[constraint.contype] ?? ""}`);
    if (constraint.contype === "CONSTR_CHECK" && !constraint.skip_validation) {
      reportAction(
        action,
        "constraint-missing-not-valid",
        blocking(`adding a column with a CHECK scans table '${name}'`),
        "Safe way: add the column first, then the constraint:",
        bare,
        ...notValidAdvice(name, label, `CHECK (${column} …)`).slice(1),
      );
    }
    if (constraint.contype === "CONSTR_UNIQUE" || constraint.contype === "CONSTR_PRIMARY") {
      const isUnique = constraint.contype === "CONSTR_UNIQUE";
      const kind = isUnique ? "UNIQUE" : "PRIMARY KEY";
      reportAction(
        action,
        isUnique ? "disallowed-unique-constraint" : "adding-primary-key",
        blocking(`adding a ${kind} column builds an index on table '${name}'`),
        "Safe way: add the column first, then the constraint:",
        bare,
        ...usingIndexAdvice(name, label, `(${column})`, kind, constraint),
      );
    }
    // A new column without a value has nothing to check.
    if (constraint.contype === "CONSTR_FOREIGN" && fills && !constraint.skip_validation) {
      reportAction(
        action,
        "adding-foreign-key-constraint",
        blocking(`adding a column with REFERENCES and a DEFAULT checks every row of '${name}'`),
        "Safe way: add the column first, then the constraint:",
        bare,
        ...notValidAdvice(name, label, `FOREIGN KEY (${column}) REFERENCES …`).slice(1),
      );
    }
  }
}

function isNull(expression: Node | undefined): boolean {
  for (const [kind, fields] of nodesIn(expression)) {
    if (kind === "A_Const") return fields.isnull === true;
    if (kind !== "TypeCast") return false;
  }
  return true;
}

/** The schema of a name with its point, as it is written. */
function ownSchema(name: string): string {
  return /^(?:"(?:[^"]|"")*"|[^".]+)\./.exec(name)?.[0] ?? "";
}
