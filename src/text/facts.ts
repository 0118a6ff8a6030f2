import { printable } from "./printable.ts";
import { isSecret } from "./secrets.ts";

/** Facts for a line that people read, as `name=value`; what looks like a secret by its name is left out. */
export function factsOf(properties: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(properties)
    .filter(([name, value]) => !(value instanceof Error) && !isSecret(name))
    .map(([name, value]) => `${printable(name)}=${written(value)}`);
}

/** A text with spaces or line breaks in quotes, so that it cannot forge a line or another fact. Never throws. */
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
