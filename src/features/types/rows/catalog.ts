import type { TypeNames } from "../module_text.ts";
import { isHistory } from "../../../migrations/sql/foreign/read.ts";
import { OWN_SCHEMAS, OWN_TABLES } from "../../../migrations/sql/journal/records.ts";
import { matcherOf } from "../../schema/ignored.ts";
import type { Database } from "../../../migrations/sql/types.ts";

/** The row that a query of a catalog returns for a column, with its table; flags as the database writes them. */
export type CatalogRow = Readonly<
  Record<
    | ("relation" | "is_view" | "relation_comment" | "name" | "comment")
    | ("not_null" | "has_default" | "is_generated"),
    unknown
  > & { schema?: unknown; [other: string]: unknown }
>;

/** TypeScript for what a driver returns by default, without `null`, and for what it accepts where that differs. */
export type ValueTypes = readonly [select: string, insert?: string];

export interface Catalog {
  readonly rows: readonly CatalogRow[];
  typesOf(row: CatalogRow): ValueTypes;
  /** Names of types by their labels, as far as columns that were asked for have them. */
  readonly enums?: ReadonlyMap<string, readonly string[]>;
}

/** @param names of the module, from which enums take theirs @param home the default schema */
export type ReadCatalog = (
  database: Pick<Database, "query">,
  names: TypeNames,
  home: string,
) => Promise<Catalog>;

export interface Table {
  /** As queries name it: `audit.log` outside of the default schema. */
  readonly key: string;
  readonly type: string;
  readonly rows: readonly CatalogRow[];
}

/** Without histories of migrations and what is ignored. */
export function tablesOf(
  { rows }: Catalog,
  { home, ignored }: { readonly home: string; readonly ignored: readonly string[] },
  names: TypeNames,
): readonly Table[] {
  const isIgnored = matcherOf([...OWN_TABLES, ...ignored]);
  const all = new Set(rows.map(({ relation }) => `${relation}`.toLowerCase()));
  const groups = Map.groupBy(
    rows,
    ({ schema = home, relation }) => JSON.stringify([schema, relation]),
  );
  const kept = [...groups.values()].filter((columns) => {
    const { schema = home, relation } = columns[0]!;
    const table = { schema: `${schema}`, name: `${relation}` };
    if (OWN_SCHEMAS.includes(table.schema)) return false;
    if ([table.name, `${schema}.${relation}`].some(isIgnored)) return false;
    const fields = columns.map(({ name }) => `${name}`.toLowerCase());
    return !isHistory({ ...table, columns: fields }, all);
  });
  const keyed = kept.map((rows) => {
    const { schema = home, relation } = rows[0]!;
    return { key: schema === home ? `${relation}` : `${schema}.${relation}`, rows };
  });
  // The table 'users' gets its name before 'new_users', which would take 'NewUsers'.
  const types = new Map(
    keyed.toSorted((a, b) => a.key.length - b.key.length).map((table) => [
      table,
      names.take(table.key, (name) => [`New${name}`, `${name}Update`]),
    ]),
  );
  return keyed.map((table) => ({ ...table, type: types.get(table)! }));
}
