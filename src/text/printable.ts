export function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

export function printable(name: string): string {
  // deno-lint-ignore no-control-regex -- control characters are what it is about
  return name.replace(/[\u0000-\u001f\u007f-\u009f]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/** A text as the first of several arguments of `console`, which takes `%s` in it for the place of the next. */
export function unformatted(text: string): string {
  return text.replaceAll("%", "%%");
}
