import { nearest } from "../text/mod.ts";

/**
 * Refuses options that nobody reads: what they were meant to protect would be open.
 *
 * @param problem makes the error
 */
export function refuseUnknownOptions(
  given: object,
  known: readonly string[],
  problem: (message: string) => Error,
): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const [near] = nearest(unknown, known);
  const hint = near ? `did you mean '${near}'?` : `expected one of ${known.join(", ")}`;
  throw problem(`There is no option '${unknown}': ${hint}`);
}
