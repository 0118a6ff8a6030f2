import { isSecret } from "./secrets.ts";

export function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

export function oneLine(text: string, most = 60): string {
  const line = Array.from(text.replace(/\s+/g, " ").trim());
  return line.length > most ? `${line.slice(0, most - 2).join("")} …` : line.join("");
}

export function printable(name: string): string {
  return name.replace(CONTROLS, escapedCode);
}

/** As {@linkcode printable}, for a line of a file: tabs stay. */
export function printableLine(line: string): string {
  return line.split("\t").map(printable).join("\t");
}

/** As {@linkcode printable}, for text that a terminal shows: line ends, tabs and the colours of `screen.ts` stay. */
export function printableLines(text: string): string {
  return text.replace(TERMINAL_CONTROLS, escapedCode);
}

// deno-lint-ignore no-control-regex -- control characters are what it is about
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]/g;
const KEPT = "\t|\r?\n|\x1b\\[(?:[12]|22|3[1236]|39)m";
const TERMINAL_CONTROLS = new RegExp(`(?!${KEPT})${CONTROLS.source}`, "g");

function escapedCode(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** A text as the first of several arguments of `console`, which takes `%s` in it for the place of the next. */
export function unformatted(text: string): string {
  return text.replaceAll("%", "%%");
}

/** Facts for a line that people read, as `name=value`; what looks like a secret by its name is left out. */
export function factsOf(properties: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(properties)
    .filter(([name, value]) => !(value instanceof Error) && !isSecret(name))
    .map(([name, value]) => `${printable(name)}=${quoteIfNeeded(value)}`);
}

/** A text with spaces or line breaks in quotes, so that it cannot forge a line or another fact. Never throws. */
function quoteIfNeeded(value: unknown): string | undefined {
  if (typeof value === "string" && !/[\s"\p{C}]/u.test(value)) return value;
  try {
    return JSON.stringify(value, (name, inner) => {
      if (isSecret(name)) return undefined;
      return typeof inner === "bigint" ? `${inner}` : inner;
    });
  } catch {
    return "…"; // A value that contains itself would never end.
  }
}

export function listed(words: readonly string[], last: "and" | "or"): string {
  const tail = words.slice(-2).join(` ${last} `);
  return [...words.slice(0, -2), tail].join(", ");
}

export function quoted(names: Iterable<string>, none = "none"): string {
  return [...names].map((name) => `'${name}'`).join(", ") || none;
}
