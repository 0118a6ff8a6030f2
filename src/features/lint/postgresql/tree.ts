import { loadDriver } from "../../../migrations/sql/connect/drivers.ts";
import type { TableName } from "../facts.ts";

/** The part of `libpg-query` that is used: the grammar of PostgreSQL 18, compiled to WebAssembly. It runs nothing. */
interface Library {
  loadModule(): Promise<void>;
  parseSync(sql: string): { readonly stmts?: readonly { readonly stmt?: Node }[] };
}

export type Parse = (statement: string) => Node | undefined;

/** @throws {PackageNotFoundError} when it is not installed, or what its WebAssembly fails with */
export async function loadParser(): Promise<Parse> {
  const library = await loadDriver("libpg-query") as Library;
  await library.loadModule();
  return (statement) => {
    try {
      return library.parseSync(statement).stmts?.[0]?.stmt;
    } catch {
      return undefined;
    }
  };
}

/** A node of PostgreSQL's parse tree: `{ "AlterTableStmt": { … } }`. */
export type Node = Readonly<Record<string, unknown>>;
type Nodes = readonly Node[];

export interface RangeVar {
  readonly schemaname?: string;
  readonly relname: string;
  readonly inh?: boolean;
  readonly relpersistence?: string;
  /** Bytes of UTF-8 from the start of the text. */
  readonly location?: number;
}

export interface TypeName {
  readonly names?: Nodes;
  readonly typmods?: Nodes;
  readonly arrayBounds?: Nodes;
}

/** The fields that rules read, of all kinds of nodes. Values that are zero, false or empty are left out of the tree. */
export type Fields = Readonly<
  Partial<
    & Record<"name" | "newname" | "subname" | "idxname" | "indexname" | "conname", string>
    & Record<"colname" | "rolename" | "defname" | "dbname" | "schemaname" | "newschema", string>
    & Record<"kind" | "objtype" | "objectType" | "removeType" | "renameType" | "contype", string>
    & Record<"relationType" | "subtype" | "behavior" | "generated_kind" | "boolop", string>
    & Record<"nulltesttype", string>
    & Record<"if_not_exists" | "missing_ok" | "concurrent" | "instead" | "is_grant", boolean>
    & Record<"skipData" | "isnull" | "nulls_not_distinct" | "deferrable", boolean>
    // `NOT VALID`.
    & Record<"skip_validation" | "initdeferred", boolean>
    & Record<"relation" | "view" | "typevar" | "pktable", RangeVar>
    & Record<"cmds" | "relations" | "objects" | "rels" | "items" | "names" | "fields", Nodes>
    & Record<"options" | "params" | "args" | "funcname" | "targetList" | "constraints", Nodes>
    & Record<"domainname" | "tableElts" | "inhRelations" | "keys" | "fk_attrs" | "including", Nodes>
    & Record<"indexParams" | "indexIncludingParams" | "grantees" | "grantee_roles", Nodes>
    & Record<"def" | "query" | "selectStmt" | "fromClause" | "usingClause" | "withClause", Node>
    // The expression of `USING`, where the type of a column is changed.
    & Record<"raw_default" | "raw_expr" | "whereClause" | "collClause" | "expr", Node>
    & Record<"val" | "arg", Node>
    & Record<"into" | "intoClause", { readonly rel?: RangeVar }>
    & {
      typeName: TypeName;
      /** The mode of `LOCK`: 1 is ACCESS SHARE, 8 ACCESS EXCLUSIVE. */
      mode: number;
      ival: { readonly ival?: number };
      partspec: { readonly partParams?: Nodes };
      partbound: { readonly is_default?: boolean };
    }
  >
>;

export type TableFields = Fields & { readonly relation: RangeVar };

export function openNode(node: Node | undefined): readonly [kind: string, fields: Fields] {
  return Object.entries(node ?? {})[0] as [string, Fields] | undefined ?? ["", {}];
}

export function fieldsOf<T = Fields>(node: Node | undefined, kind: string): T | undefined {
  return node?.[kind] as T | undefined;
}

export function fieldsIn<T = Fields>(nodes: readonly Node[] = [], kind: string): readonly T[] {
  return nodes.flatMap((node) => fieldsOf<T>(node, kind) ?? []);
}

export function* nodesIn(value: unknown): Iterable<readonly [kind: string, fields: Fields]> {
  // An expression may be deeper than calls can be.
  const left: (readonly [key: string, value: unknown])[] = [["", value]];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [key, inner] = next;
    if (typeof inner !== "object" || inner === null) continue;
    // Kinds of nodes begin with a capital, fields do not.
    if (/^[A-Z]/.test(key)) yield [key, inner];
    left.push(...Object.entries(inner).reverse());
  }
}

export function columnsIn(expression: unknown): readonly string[] {
  const names = [...nodesIn(expression)].flatMap(([kind, { fields }]) => {
    return kind === "ColumnRef" ? textsIn(fields).at(-1) ?? [] : [];
  });
  return [...new Set(names)];
}

export function textsIn(nodes?: readonly Node[]): readonly string[] {
  return fieldsIn<{ sval?: string }>(nodes, "String").flatMap(({ sval }) => sval ?? []);
}

export function rangesIn(nodes?: readonly Node[]): readonly RangeVar[] {
  return fieldsIn<RangeVar>(nodes, "RangeVar");
}

export function rangesBelow(tree: unknown): readonly TableName[] {
  return [...nodesIn(tree)].flatMap(([kind, range]) => {
    return kind === "RangeVar" ? nameIn(range as unknown as RangeVar) : [];
  });
}

export function hasOption(options: readonly Node[] | undefined, name: string): boolean {
  return fieldsIn(options, "DefElem").some(({ defname, arg = true }) => {
    const isOff = /"(?:false|off|0)"|"boolval":\{\}|:\{"ival":\{\}/.test(JSON.stringify(arg));
    return defname === name && !isOff;
  });
}

export const TEMPORARY = "pg_temp";

export function nameIn({ schemaname, relname, relpersistence }: RangeVar): TableName {
  const schema = relpersistence === "t" ? TEMPORARY : schemaname;
  return { ...(schema !== undefined && { schema }), name: relname };
}

/** The last parts of a name that may have its schema before it. */
export function nameOfPath(path: readonly string[]): TableName {
  const schema = path.at(-2);
  return { ...(schema !== undefined && { schema }), name: path.at(-1) ?? "" };
}
