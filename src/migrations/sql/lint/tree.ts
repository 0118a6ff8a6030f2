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
}

export interface AlterTableCmd {
  readonly subtype: string;
  readonly name?: string;
  readonly def?: Node;
}

export interface AlterTableStmt {
  readonly relation: RangeVar;
  readonly cmds?: readonly Node[];
  readonly objtype?: string;
}

export interface CreateStmt {
  readonly relation: RangeVar;
  readonly tableElts?: readonly Node[];
  readonly partspec?: unknown;
  readonly partbound?: unknown;
  readonly inhRelations?: readonly Node[];
}

export interface IndexStmt {
  readonly idxname?: string;
  readonly relation: RangeVar;
  readonly indexParams?: readonly Node[];
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
  readonly concurrent?: boolean;
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

/** The texts of a list of `String` nodes. */
export function textsOf(nodes: readonly Node[] = []): readonly string[] {
  return nodes.flatMap((node) => fieldsOf<{ sval?: string }>(node, "String")?.sval ?? []);
}

/** Every node below a value, itself included, with its kind. */
export function* nodesIn(value: unknown): Iterable<readonly [kind: string, fields: Node]> {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) yield* nodesIn(item);
    return;
  }
  for (const [key, inner] of Object.entries(value)) {
    // Kinds of nodes begin with a capital, fields do not.
    if (/^[A-Z]/.test(key) && typeof inner === "object" && inner !== null) {
      yield [key, inner as Node];
    }
    yield* nodesIn(inner);
  }
}

/** The name of a table as `Schema` takes it. */
export function nameIn({ schemaname, relname }: RangeVar): { schema?: string; name: string } {
  return { ...(schemaname !== undefined && { schema: schemaname }), name: relname };
}
