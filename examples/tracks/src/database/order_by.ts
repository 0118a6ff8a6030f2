import type { Pageable } from "irori/paging";

/**
 * `ORDER BY` of what was asked for. Names of fields are those of columns in camel case, and come from the list that
 * `Pageable` allows, never from a client.
 *
 * @param unique a column that makes the order a total one, so that no row is on two pages
 */
export function orderBy({ sort }: Pageable, unique: string): string {
  const orders = sort.map(({ property, direction }) => `${snakeCase(property)} ${direction}`);
  return `ORDER BY ${[...orders, unique].join(", ")}`;
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
