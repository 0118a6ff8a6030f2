import type { Database } from "../../migrations/sql/types.ts";

/** A table as a file names it, without quotes and in the case that the database knows. */
export interface TableName {
  readonly schema?: string;
  readonly name: string;
}

/** A type of a column: its name as the catalog has it, and what stands in parentheses. */
export interface ColumnType {
  readonly name: string;
  readonly modifiers: readonly number[];
  readonly isArray?: boolean;
}

export interface Column {
  readonly type?: ColumnType;
  readonly notNull?: boolean;
  /** Whether an `INSERT` may omit it: it has a default, an identity or an expression. */
  readonly hasDefault?: boolean;
}

export interface Check {
  readonly isValidated: boolean;
  readonly notNull: readonly string[];
  readonly columns: readonly string[];
}

export interface IndexFacts {
  /** Those that are expressions are left out. */
  readonly columns: readonly string[];
  /** All that it reads, where it has expressions or a `WHERE`. */
  readonly computedFrom?: readonly string[];
}

export interface UserType {
  readonly madeIn?: string;
  readonly base?: ColumnType;
  /** Whether a domain rejects values, or has another default for each row: a new column of it rewrites the table. */
  isConstrained?: boolean;
}

export interface TableFacts extends TableName {
  readonly columns: readonly (readonly [name: string, column: Column])[];
  readonly checks: readonly (readonly [name: string, check: Check])[];
  readonly isPartitioned: boolean;
  readonly indexes?: readonly (readonly [name: string, index: IndexFacts])[];
  readonly defaultPartition?: TableName;
  readonly partitionKey?: readonly string[];
  readonly hasPolicy?: boolean;
  /** Whether neither it nor a partition has a row; absent where that is not known. */
  readonly isEmpty?: boolean;
  readonly domain?: UserType;
  readonly rows?: number;
  /** Indexes included. */
  readonly bytes?: number;
}

export type QueryLive = (sql: string) => ReturnType<Database["query"]>;

/** Names of the catalog with the other names that files and `format_type()` use. */
const CATALOG_NAMES = new Map(
  Object.entries({
    int2: ["smallint", "smallserial", "serial2"],
    int4: ["int", "integer", "serial", "serial4"],
    int8: ["bigint", "bigserial", "serial8"],
    float4: ["real"],
    float8: ["double precision"],
    numeric: ["decimal"],
    bool: ["boolean"],
    varchar: ["character varying"],
    bpchar: ["character", "char"],
    varbit: ["bit varying"],
    timestamp: ["timestamp without time zone"],
    timestamptz: ["timestamp with time zone"],
    time: ["time without time zone"],
    timetz: ["time with time zone"],
  }).flatMap(([name, others]) => others.map((other) => [other, name])),
);

export function catalogName(name: string): string {
  return CATALOG_NAMES.get(name) ?? name;
}

/** The type as `format_type()` of the catalog writes it: `character varying(20)`, `numeric(10,2)[]`. */
export function parseColumnType(text: string): ColumnType {
  const [, modifiers] = /\(([\d,\s-]+)\)/.exec(text) ?? [];
  return {
    name: catalogName(text.replace(/\[\]$/, "").replace(/\s*\([^)]*\)/, "")),
    modifiers: modifiers?.split(",").map(Number) ?? [],
    ...(text.endsWith("[]") && { isArray: true }),
  };
}

/** How dangerous changes are treated. */
export interface Linting {
  readonly lint: "warn" | "error";
  readonly lintFrom: string | undefined;
}
