/** A node of PostgreSQL's parse tree as `libpg-query` gives it: `{ "AlterTableStmt": { … } }`. */
export type Node = Readonly<Record<string, unknown>>;

/** The fields that rules look at. Values that are zero, false or empty are left out of the tree. */
export interface RangeVar {
  readonly schemaname?: string;
  readonly relname: string;
  /** Absent behind `ONLY`. */
  readonly inh?: boolean;
  readonly relpersistence?: string;
  /** Bytes of UTF-8 from the start of the text. */
  readonly location?: number;
}

export interface TypeName {
  readonly names?: readonly Node[];
  readonly typmods?: readonly Node[];
  readonly arrayBounds?: readonly Node[];
}

export interface ColumnDef {
  readonly colname?: string;
  readonly typeName?: TypeName;
  readonly constraints?: readonly Node[];
  /** What `USING` says, where the type of a column is changed. */
  readonly raw_default?: Node;
  readonly collClause?: Node;
}

export interface Constraint {
  readonly contype: string;
  readonly conname?: string;
  readonly raw_expr?: Node;
  readonly keys?: readonly Node[];
  readonly indexname?: string;
  /** `NOT VALID`. */
  readonly skip_validation?: boolean;
  readonly generated_kind?: string;
  readonly pktable?: RangeVar;
  readonly fk_attrs?: readonly Node[];
  readonly including?: readonly Node[];
  readonly nulls_not_distinct?: boolean;
  readonly deferrable?: boolean;
  readonly initdeferred?: boolean;
}

export interface AlterTableCmd {
  readonly subtype: string;
  readonly name?: string;
  readonly def?: Node;
  readonly behavior?: string;
  readonly missing_ok?: boolean;
}

export interface AlterTableStmt {
  readonly relation: RangeVar;
  readonly cmds?: readonly Node[];
  readonly objtype?: string;
}

export interface CreateStmt {
  readonly relation: RangeVar;
  readonly if_not_exists?: boolean;
  readonly tableElts?: readonly Node[];
  readonly partspec?: { readonly partParams?: readonly Node[] };
  readonly partbound?: { readonly is_default?: boolean };
  readonly inhRelations?: readonly Node[];
}

export interface IndexStmt {
  readonly idxname?: string;
  readonly relation: RangeVar;
  readonly indexParams?: readonly Node[];
  readonly indexIncludingParams?: readonly Node[];
  readonly whereClause?: Node;
  readonly unique?: boolean;
  readonly concurrent?: boolean;
}

export interface RenameStmt {
  readonly renameType: string;
  readonly relationType?: string;
  readonly relation?: RangeVar;
  readonly subname?: string;
  readonly newname?: string;
}

export interface DropStmt {
  readonly objects?: readonly Node[];
  readonly removeType: string;
  readonly behavior?: string;
  readonly concurrent?: boolean;
  /** `IF EXISTS`. */
  readonly missing_ok?: boolean;
}

/** `GRANT` and `REVOKE`, of roles too. */
export interface GrantStmt {
  readonly is_grant?: boolean;
  readonly objtype?: string;
  readonly objects?: readonly Node[];
  readonly grantees?: readonly Node[];
  readonly grantee_roles?: readonly Node[];
}

/** The kind of a node, and its fields. */
export function opened<T = Node>(node: Node | undefined): readonly [kind: string, fields: T] {
  const [entry] = Object.entries(node ?? {});
  return [entry?.[0] ?? "", (entry?.[1] ?? {}) as T];
}

/** The fields of a node of this kind. */
export function fieldsOf<T>(node: Node | undefined, kind: string): T | undefined {
  return node?.[kind] as T | undefined;
}

/** The columns that an expression names. */
export function columnsIn(expression: unknown): readonly string[] {
  const names = new Set<string>();
  for (const [kind, fields] of nodesIn(expression)) {
    const name = kind === "ColumnRef" && textsOf(fields.fields as readonly Node[]).at(-1);
    if (name) names.add(name);
  }
  return [...names];
}

/** The texts of a list of `String` nodes. */
export function textsOf(nodes: readonly Node[] = []): readonly string[] {
  return nodes.flatMap((node) => fieldsOf<{ sval?: string }>(node, "String")?.sval ?? []);
}

/** Every node below a value, itself included, with its kind. */
export function* nodesIn(value: unknown): Iterable<readonly [kind: string, fields: Node]> {
  // An expression may be deeper than calls can be.
  const left: (readonly [key: string, value: unknown])[] = [["", value]];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [key, inner] = next;
    if (typeof inner !== "object" || inner === null) continue;
    // Kinds of nodes begin with a capital, fields do not.
    if (/^[A-Z]/.test(key)) yield [key, inner as Node];
    left.push(...Object.entries(inner).reverse());
  }
}

/** The schema of temporary tables. */
export const TEMPORARY = "pg_temp";

/** The name of a table as `Schema` takes it. */
export function nameIn(
  { schemaname, relname, relpersistence }: RangeVar,
): { schema?: string; name: string } {
  // Only where it is made.
  const schema = relpersistence === "t" ? TEMPORARY : schemaname;
  return { ...(schema !== undefined && { schema }), name: relname };
}

/** The last parts of a name that may have its schema before it. */
export function nameOfPath(path: readonly string[]): { schema?: string; name: string } {
  const schema = path.at(-2);
  return { ...(schema !== undefined && { schema }), name: path.at(-1) ?? "" };
}
