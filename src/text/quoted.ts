/** Names for people: `'a', 'b'`. @param none what stands for no name at all */
export function quoted(names: Iterable<string>, none = "none"): string {
  return [...names].map((name) => `'${name}'`).join(", ") || none;
}
