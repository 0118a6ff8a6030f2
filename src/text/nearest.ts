/** Names of this length may differ in two characters, shorter ones in one. */
const LONG_NAME = 6;

/** The names of which `wanted` is probably a misspelling, the nearest first, at most three. */
export function nearest(wanted: string, names: Iterable<string>): readonly string[] {
  return [...names]
    .filter((name) => Math.abs(name.length - wanted.length) <= 2)
    .map((name) => ({ name, distance: distance(wanted.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= (name.length < LONG_NAME ? 1 : 2))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ name }) => name);
}

/** Rejects unknown options: a misspelled one would have no effect. */
export function refuseUnknownOptions(
  given: object,
  known: readonly string[],
  problem: (message: string) => Error,
): void {
  if (Object(given) !== given) throw problem(`Expected an object with options, found '${given}'`);
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const [near] = nearest(unknown, known);
  const hint = near ? `did you mean '${near}'?` : `expected one of ${known.join(", ")}`;
  throw problem(`Unknown option '${unknown}': ${hint}`);
}

/** How many characters to insert, delete, replace or swap with their neighbour (optimal string alignment). */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let i = 1; i <= a.length; i++) {
    const [above, row] = [rows[i - 1]!, [i]];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      row[j] = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + (isSame ? 0 : 1));
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwapped) row[j] = Math.min(row[j]!, rows[i - 2]![j - 2]! + 1);
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}
