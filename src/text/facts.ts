import { printable } from "./printable.ts";
import { isSecret } from "./secrets.ts";

/** Facts for a line that people read, as `name=value`; what looks like a secret by its name is left out. */
export function factsOf(properties: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(properties)
    .filter(([name, value]) => !(value instanceof Error) && !isSecret(name))
    .map(([name, value]) => `${printable(name)}=${written(value)}`);
}

/** A text with blanks or breaks in quotes: nobody can make up a line, or another fact. Whatever it is, it does not fail. */
function written(value: unknown): string | undefined {
  if (typeof value === "string" && !/[\s"\p{C}]/u.test(value)) return value;
  try {
    return JSON.stringify(value, (name, inner) => {
      if (isSecret(name)) return undefined;
      return typeof inner === "bigint" ? `${inner}` : inner;
    });
  } catch {
    return "…"; // Of what contains itself there is no end.
  }
}
