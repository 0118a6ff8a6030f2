import { nearest } from "../text/mod.ts";

/** Rejects unknown options: a misspelled option would leave a path open. */
export function refuseUnknownOptions(
  given: object,
  known: readonly string[],
  problem: (message: string) => Error,
): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const [near] = nearest(unknown, known);
  const hint = near ? `did you mean '${near}'?` : `expected one of ${known.join(", ")}`;
  throw problem(`Unknown option '${unknown}': ${hint}`);
}
