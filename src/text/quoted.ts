/** Words for people: `a`, `a or b`, `a, b or c`. @param last what stands before the last of several */
export function listed(words: readonly string[], last: "and" | "or"): string {
  const tail = words.slice(-2).join(` ${last} `);
  return [...words.slice(0, -2), tail].join(", ");
}

/** Names for people: `'a', 'b'`. @param none what stands for no name at all */
export function quoted(names: Iterable<string>, none = "none"): string {
  return [...names].map((name) => `'${name}'`).join(", ") || none;
}
