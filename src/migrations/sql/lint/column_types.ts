import { fieldsOf, type Node, textsOf, type TypeName } from "./tree.ts";

/** A type of a column: its name as the catalog has it, and what stands in parentheses. */
export interface ColumnType {
  readonly name: string;
  readonly modifiers: readonly number[];
  readonly isArray?: boolean;
}

/**
 * What a change of type costs: nothing; the whole table, or its indexes alone where the zone of the session is UTC;
 * the whole table. Measured on PostgreSQL 15.
 */
export type TypeChange = "free" | "by zone" | "rewrite";

/** What names of the standard are in the catalog. */
const NAMES: Readonly<Record<string, string>> = {
  "int": "int4",
  "integer": "int4",
  "smallint": "int2",
  "bigint": "int8",
  "real": "float4",
  "double precision": "float8",
  "decimal": "numeric",
  "boolean": "bool",
  "character varying": "varchar",
  "character": "bpchar",
  "char": "bpchar",
  "bit varying": "varbit",
  "timestamp without time zone": "timestamp",
  "timestamp with time zone": "timestamptz",
  "time without time zone": "time",
  "time with time zone": "timetz",
  "serial": "int4",
  "bigserial": "int8",
  "smallserial": "int2",
  "serial4": "int4",
  "serial8": "int8",
  "serial2": "int2",
};
/** Types whose one modifier may grow, or go, without a rewrite. */
const GROWING = new Set([
  ...["varchar", "varbit", "timestamp", "timestamptz", "time", "timetz", "interval"],
]);
/** Of `interval(6)`, as the grammar gives it. */
const ALL_FIELDS = 0x7fff;

/** The type that a file writes. */
export function columnTypeOf(type: TypeName | undefined): ColumnType | undefined {
  const written = textsOf(type?.names).at(-1);
  if (type === undefined || written === undefined) return undefined;
  const modifiers = (type.typmods ?? []).map(integerOf);
  if (modifiers.includes(undefined)) return undefined;
  // The first one of an interval says which of its fields there are.
  const [fields, ...precision] = written === "interval" ? modifiers : [];
  const isPart = fields !== undefined && fields !== ALL_FIELDS;
  return {
    name: isPart ? `interval ${fields}` : NAMES[written] ?? written,
    modifiers: (written === "interval" ? precision : modifiers) as number[],
    ...(type.arrayBounds && { isArray: true }),
  };
}

/** The type as `format_type()` of the catalog writes it: `character varying(20)`, `numeric(10,2)[]`. */
export function columnTypeIn(text: string): ColumnType {
  const isArray = text.endsWith("[]");
  const [, modifiers] = /\(([\d,\s-]+)\)/.exec(text) ?? [];
  const name = text.replace(/\[\]$/, "").replace(/\s*\([^)]*\)/, "");
  return {
    name: NAMES[name] ?? name,
    modifiers: modifiers?.split(",").map(Number) ?? [],
    ...(isArray && { isArray }),
  };
}

/** A type as a file may write it. */
export function columnTypeText({ name, modifiers, isArray }: ColumnType): string {
  return `${name}${modifiers.length > 0 ? `(${modifiers.join(", ")})` : ""}${isArray ? "[]" : ""}`;
}

/** What it costs to change a type. */
export function typeChange(from: ColumnType, to: ColumnType): TypeChange {
  if (from.isArray || to.isArray) return isSame(from, to) ? "free" : "rewrite";
  if (isSame(from, to)) return "free";
  const pair = `${from.name} ${to.name}`;
  if (pair === "timestamp timestamptz" || pair === "timestamptz timestamp") return "by zone";
  if (pair === "cidr inet") return to.modifiers.length === 0 ? "free" : "rewrite";
  if (pair === "varchar text") return "free";
  if (pair === "text varchar") return to.modifiers.length === 0 ? "free" : "rewrite";
  if (from.name !== to.name) return "rewrite";
  if (to.name === "numeric") return isWiderNumeric(from, to) ? "free" : "rewrite";
  if (!GROWING.has(to.name)) return "rewrite";
  const [before = Infinity] = from.modifiers;
  const [after = Infinity] = to.modifiers;
  return after >= before ? "free" : "rewrite";
}

function isSame(a: ColumnType, b: ColumnType): boolean {
  return a.name === b.name && a.isArray === b.isArray &&
    a.modifiers.join() === b.modifiers.join();
}

function isWiderNumeric({ modifiers: from }: ColumnType, { modifiers: to }: ColumnType): boolean {
  if (to.length === 0) return true;
  if (from.length === 0) return false;
  return (to[0] ?? 0) >= (from[0] ?? 0) && (to[1] ?? 0) === (from[1] ?? 0);
}

/** Zero is left out of the tree. */
function integerOf(node: Node): number | undefined {
  const constant = fieldsOf<{ ival?: { ival?: number } }>(node, "A_Const");
  return constant?.ival === undefined ? undefined : constant.ival.ival ?? 0;
}
