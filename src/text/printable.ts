export function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

export function oneLine(text: string, most = 60): string {
  const line = Array.from(text.replace(/\s+/g, " ").trim());
  return line.length > most ? `${line.slice(0, most - 2).join("")} …` : line.join("");
}

/** @param controls those that are not to stay */
export function printable(text: string, controls: RegExp = /\p{Cc}/gu): string {
  return text.replace(controls, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/** URLs may hold a user and a password. */
export function withoutUserinfo(text: string): string {
  return text.replace(/:\/\/[^/\s]*@/g, "://…@");
}

/** A text as the first of several arguments of `console`, which takes `%s` in it for the place of the next. */
export function unformatted(text: string): string {
  return text.replaceAll("%", "%%");
}

export function listed(words: readonly string[], last: "and" | "or"): string {
  return [...words.slice(0, -2), words.slice(-2).join(` ${last} `)].join(", ");
}

export function quoted(names: Iterable<string>, none = "none"): string {
  return [...names].map((name) => `'${name}'`).join(", ") || none;
}
