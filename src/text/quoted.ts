export function listed(words: readonly string[], last: "and" | "or"): string {
  const tail = words.slice(-2).join(` ${last} `);
  return [...words.slice(0, -2), tail].join(", ");
}

export function quoted(names: Iterable<string>, none = "none"): string {
  return [...names].map((name) => `'${name}'`).join(", ") || none;
}
