import { catalogName, type ColumnType, type UserType } from "../facts.ts";
import type { Schema } from "../schema.ts";
import type { Subject } from "../statement.ts";
import { quoteName } from "./advice.ts";
import {
  type Fields,
  fieldsIn,
  fieldsOf,
  nameOfPath,
  type Node,
  nodesIn,
  textsIn,
  type TypeName,
} from "./tree.ts";

type Domain = UserType & Required<Pick<UserType, "base">>;
type TypeFields = Omit<Fields, "typeName"> & { readonly typeName?: readonly Node[] };

export function createDomain(fields: Fields, { schema }: Subject): void {
  const { domainname, typeName, constraints } = fields;
  const outer = domainOf(typeName, schema);
  const isConstrained = outer?.isConstrained === true ||
    fieldsIn(constraints, "Constraint").some(({ contype = "", raw_expr }) =>
      /_(?:CHECK|NOTNULL)$/.test(contype) ||
      contype === "CONSTR_DEFAULT" && volatilityOf(raw_expr) === "volatile"
    );
  const base = outer?.base ?? columnTypeOf(typeName);
  const { name } = nameOfPath(textsIn(domainname));
  schema.makeType(name, { ...(base && { base }), isConstrained });
}

export function createType({ typeName }: TypeFields, { schema }: Subject): void {
  schema.makeType(nameOfPath(textsIn(typeName)).name);
}

export function alterDomain({ subtype = "", typeName, def }: TypeFields, subject: Subject): void {
  const { schema, report, work } = subject;
  const path = textsIn(typeName);
  const domain = schema.type(nameOfPath(path));
  // C: ADD CONSTRAINT, O: SET NOT NULL, V: VALIDATE CONSTRAINT.
  if (!["C", "O", "V"].includes(subtype)) return;
  if (domain) domain.isConstrained = true;
  if (fieldsOf(def, "Constraint")?.skip_validation || (domain && schema.isNew(domain))) return;
  work();
  report(0, "altering-domain", {
    domain: path.map(quoteName).join("."),
    orNotValid: subtype === "C"
      ? ["Or, if only new values matter, add the constraint as NOT VALID"]
      : [],
  });
}

export function domainOf(type: TypeName | undefined, schema: Schema): Domain | undefined {
  const path = textsIn(type?.names);
  return type?.arrayBounds || path.length === 0 ? undefined : domainNamed(path, schema);
}

export function domainNamed(path: readonly string[], schema: Schema): Domain | undefined {
  const name = nameOfPath(path);
  const isOwn = name.schema === undefined && OWN.has(name.name);
  const found = isOwn || name.schema === "pg_catalog" ? undefined : schema.type(name);
  return found?.base && { ...found, base: found.base };
}

/** Types of the server that its grammar does not put into `pg_catalog`, and names for integers that count. */
const OWN = new Set(
  ("text uuid json jsonb date timestamptz timetz bytea inet cidr int2 int4 int8 float4 " +
    "float8 bool varchar bpchar name oid serial bigserial smallserial serial2 serial4 serial8 " +
    "money xml numeric timestamp time interval bit varbit tsvector tsquery point int4range " +
    "int8range numrange tsrange tstzrange daterange macaddr box").split(" "),
);

export function columnTypeOf(type: TypeName | undefined): ColumnType | undefined {
  const written = textsIn(type?.names).at(-1);
  if (type === undefined || written === undefined) return undefined;
  const modifiers = (type.typmods ?? []).map(integerIn);
  if (modifiers.includes(undefined)) return undefined;
  // The first one of an interval says which of its fields there are.
  const [fields, ...precision] = written === "interval" ? modifiers : [];
  const isPart = fields !== undefined && fields !== ALL_FIELDS;
  return {
    name: isPart ? `interval ${fields}` : catalogName(written),
    modifiers: (written === "interval" ? precision : modifiers) as number[],
    ...(type.arrayBounds && { isArray: true }),
  };
}

const ALL_FIELDS = 0x7fff;

/** Zero is left out of the tree. */
function integerIn(node: Node): number | undefined {
  const constant = fieldsOf(node, "A_Const");
  return constant?.ival && (constant.ival.ival ?? 0);
}

export function columnTypeText({ name, modifiers, isArray }: ColumnType): string {
  return `${name}${modifiers.length > 0 ? `(${modifiers.join(", ")})` : ""}${isArray ? "[]" : ""}`;
}

/** The cost of a change of type: none, indexes where the zone is UTC, or the table (PostgreSQL 15). */
export type TypeChange = "free" | "by zone" | "rewrite";

const CHANGES: Readonly<Record<string, TypeChange>> = {
  "timestamp timestamptz": "by zone",
  "timestamptz timestamp": "by zone",
  "varchar text": "free",
};
const WIDENING = new Set(["cidr inet", "text varchar"]);
/** Types whose one modifier may grow, or be removed, without a rewrite. */
const GROWING = new Set("varchar varbit timestamp timestamptz time timetz interval".split(" "));

export function typeChange(from: ColumnType, to: ColumnType): TypeChange {
  if (columnTypeText(from) === columnTypeText(to)) return "free";
  if (from.isArray || to.isArray) return "rewrite";
  return CHANGES[`${from.name} ${to.name}`] ?? (isWider(from, to) ? "free" : "rewrite");
}

function isWider(before: ColumnType, after: ColumnType): boolean {
  const [{ name, modifiers: from }, { modifiers: to }] = [before, after];
  if (WIDENING.has(`${name} ${after.name}`)) return to.length === 0;
  if (name !== after.name) return false;
  const isGrowing = (to[0] ?? Infinity) >= (from[0] ?? Infinity);
  // The scale has to stay the same.
  if (name === "numeric") return to.length === 0 || isGrowing && (to[1] ?? 0) === (from[1] ?? 0);
  return GROWING.has(name) && isGrowing;
}

/** Functions of defaults that return another value for each row: the table is rewritten. */
const VOLATILE = new Set(
  ("random random_normal clock_timestamp timeofday nextval setval currval lastval gen_random_uuid " +
    "uuidv4 uuidv7 uuid_generate_v1 uuid_generate_v1mc uuid_generate_v4 gen_random_bytes gen_salt")
    .split(" "),
);
/** Functions of defaults that give one value for the whole statement. */
const STABLE = new Set(
  ("now transaction_timestamp statement_timestamp current_setting to_char to_timestamp to_date " +
    "to_number date_trunc date_part timezone age abs make_date make_interval make_time extract " +
    "make_timestamp make_timestamptz lower upper md5 concat concat_ws format left right substr " +
    "repeat substring replace trim btrim lpad rpad length encode decode chr jsonb_build_object " +
    "jsonb_build_array json_build_object json_build_array sha256 to_json to_jsonb array_fill " +
    "array_append array_remove string_to_array round floor ceil int4range int8range tstzrange " +
    "daterange numrange tsrange inet_client_addr pg_backend_pid txid_current pg_current_xact_id " +
    "to_tsvector point box cidr inet overlay session_user current_database current_schema")
    .split(" "),
);

/** Whether an expression has another value for each row: `unknown` where that lies with a function of the user. */
export function volatilityOf(expression: Node | undefined): "stable" | "volatile" | "unknown" {
  const names = [...nodesIn(expression)].flatMap(([kind, { funcname }]) => {
    return kind === "FuncCall" ? textsIn(funcname).at(-1) ?? "" : [];
  });
  if (names.some((name) => VOLATILE.has(name))) return "volatile";
  return names.every((name) => STABLE.has(name)) ? "stable" : "unknown";
}
