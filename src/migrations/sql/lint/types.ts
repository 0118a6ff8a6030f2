import { quoteName } from "./advice.ts";
import { columnTypeOf } from "./column_types.ts";
import { type Effect, NONE } from "./effects.ts";
import type { UserType } from "./schema.ts";
import type { Subject } from "./subject.ts";
import {
  type Constraint,
  fieldsOf,
  nameOfPath,
  type Node,
  textsOf,
  type TypeName,
} from "./tree.ts";
import { volatilityOf } from "./volatility.ts";

/** A type that is a domain. */
type Domain = UserType & Required<Pick<UserType, "base">>;

/** `CREATE DOMAIN`. */
export function createDomain(
  { domainname, typeName, constraints = [] }: {
    domainname?: readonly Node[];
    typeName?: TypeName;
    constraints?: readonly Node[];
  },
  { schema }: Subject,
): Effect {
  const base = columnTypeOf(typeName);
  const outer = domainOf(typeName, schema);
  const isConstrained = outer?.isConstrained === true || constraints.some((node) => {
    const found = fieldsOf<Constraint>(node, "Constraint");
    return found?.contype === "CONSTR_CHECK" || found?.contype === "CONSTR_NOTNULL" ||
      found?.contype === "CONSTR_DEFAULT" && volatilityOf(found.raw_expr) === "volatile";
  });
  const type = outer?.base ?? base;
  schema.makeType(nameOfPath(textsOf(domainname)).name, {
    ...(type && { base: type }),
    isConstrained,
  });
  return NONE;
}

/** `ALTER DOMAIN`. */
export function alterDomain(
  { subtype, typeName, def }: { subtype?: string; typeName?: readonly Node[]; def?: Node },
  subject: Subject,
): Effect {
  const { schema } = subject;
  const path = textsOf(typeName);
  const name = nameOfPath(path);
  const domain = schema.type(name);
  const constraint = fieldsOf<Constraint>(def, "Constraint");
  // C: ADD CONSTRAINT, O: SET NOT NULL, V: VALIDATE CONSTRAINT.
  if (!["C", "O", "V"].includes(subtype ?? "")) return NONE;
  if (domain) schema.setType(name.name, { ...domain, isConstrained: true });
  if (constraint?.skip_validation || (domain && schema.isNew(domain))) return NONE;
  const quoted = path.map(quoteName).join(".");
  subject.report(0, {
    rule: "altering-domain",
    message: `Blocks writes to every table with a column of the domain '${quoted}' while all ` +
      "their rows are checked",
    advice: [
      "Safe way: a CHECK on each table, NOT VALID, then VALIDATE CONSTRAINT in a later file",
      ...subtype === "C" ? ["Or, if only new values matter, add the constraint as NOT VALID"] : [],
    ],
  });
  return { locks: [], works: true };
}

/** The domain that a column is of; `undefined` for other types. */
export function domainOf(
  type: TypeName | undefined,
  schema: Subject["schema"],
): Domain | undefined {
  const path = textsOf(type?.names);
  if (type?.arrayBounds || path.length === 0) return undefined;
  return domainNamed(path, schema);
}

/** The domain of this name; `undefined` for other types. */
export function domainNamed(
  path: readonly string[],
  schema: Subject["schema"],
): Domain | undefined {
  const name = nameOfPath(path);
  if (name.schema === "pg_catalog" || (name.schema === undefined && OWN.has(name.name))) {
    return undefined;
  }
  const found = schema.type(name);
  return found?.base && { ...found, base: found.base };
}

/** Types of the server that its grammar does not put into `pg_catalog`, and names for integers that count. */
const OWN = new Set([
  ...["text", "uuid", "json", "jsonb", "date", "timestamptz", "timetz", "bytea", "inet", "cidr"],
  ...["int2", "int4", "int8", "float4", "float8", "bool", "varchar", "bpchar", "name", "oid"],
  ...["serial", "bigserial", "smallserial", "serial2", "serial4", "serial8", "money", "xml"],
  ...["numeric", "timestamp", "time", "interval", "bit", "varbit", "tsvector", "tsquery", "point"],
  ...["int4range", "int8range", "numrange", "tsrange", "tstzrange", "daterange", "macaddr", "box"],
]);
