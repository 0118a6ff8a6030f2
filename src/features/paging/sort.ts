import { quoted } from "../../text/mod.ts";
import type { Conversion } from "../../schema/mod.ts";
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

export function sortConversion<S extends string>(fields: readonly S[]): Conversion {
  const orders = new Map(fields.flatMap(ordersBy));
  return {
    expected: `one of ${quoted(fields)}, alone or with ',asc' or ',desc'`,
    convert: (text) => orders.get(text),
  };
}

export function sortTexts(fields: readonly string[]): readonly string[] {
  return fields.flatMap((field) => ordersBy(field).map(([text]) => text));
}

function ordersBy<S extends string>(property: S): readonly (readonly [string, SortOrder<S>])[] {
  return [
    [property, { property, direction: "asc" }],
    [`${property},asc`, { property, direction: "asc" }],
    [`${property},desc`, { property, direction: "desc" }],
  ];
}

/** A later entry of the same field has no effect. */
export function withoutRepeated<S extends string>(
  orders: readonly SortOrder<S>[],
): readonly SortOrder<S>[] {
  const seen = new Set<string>();
  return orders.filter(({ property }) => seen.size < seen.add(property).size);
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
