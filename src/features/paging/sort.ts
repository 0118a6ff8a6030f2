import { MappingError } from "../../web/mod.ts";

/**
 * By what elements are put in order.
 *
 * @typeParam S fields that may be sorted by
 */
export interface SortOrder<S extends string = string> {
  /** The field. */
  readonly property: S;
  /** Upwards or downwards. */
  readonly direction: "asc" | "desc";
}

/** @internal */
export type SortText<S extends string> = S | `${S},asc` | `${S},desc`;

/** The orders by what clients may write for them. */
export function sortOrders<S extends string>(fields: readonly S[]): Map<string, SortOrder<S>> {
  return new Map(fields.flatMap((property): [string, SortOrder<S>][] => [
    [property, { property, direction: "asc" }],
    [`${property},asc`, { property, direction: "asc" }],
    [`${property},desc`, { property, direction: "desc" }],
  ]));
}

/** @throws {MappingError} for a field that no query could name */
export function checkFields(fields: readonly string[]): void {
  if (!Array.isArray(fields)) {
    throw refused("a list of fields as 'sort'", fields);
  }
  for (const field of fields as readonly string[]) {
    if (typeof field === "string" && field !== "" && !field.includes(",")) continue;
    throw refused("a name without commas in 'sort'", field);
  }
}

export function refused(expected: string, found: unknown): MappingError {
  return new MappingError(`Cannot create a Pageable: expected ${expected}, found '${found}'`);
}
