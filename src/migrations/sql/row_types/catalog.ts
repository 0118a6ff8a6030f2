import type { TypeNames } from "../../../text/typescript.ts";
import type { Database } from "../types.ts";

/** What a query of a catalog returns of a column, with its table; flags as the database writes them. */
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
