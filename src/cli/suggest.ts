/** Edits that may lie between what is written and what is meant. */
const MAX_DISTANCE = 3;
/** The part of a word that has to be right. */
const MIN_SIMILARITY = 0.4;

/** `(Did you mean migrate?)` on a line of its own; nothing where no name is near. */
export function suggestion(written: string, names: readonly string[]): string {
  const near = nearest(written, names);
  if (near.length === 0) return "";
  return `\n(Did you mean ${near.length > 1 ? "one of " : ""}${near.join(", ")}?)`;
}

/** The names that are nearest to what was written: none where nothing is near, several where they are as near. */
function nearest(written: string, names: readonly string[]): readonly string[] {
  const word = bare(written);
  const near = names
    .map((name) => ({ name, distance: distance(word, bare(name)), length: bare(name).length }))
    .filter((found) => {
      const longer = Math.max(word.length, found.length);
      return found.distance <= MAX_DISTANCE && 1 - found.distance / longer > MIN_SIMILARITY;
    });
  const best = Math.min(...near.map((found) => found.distance));
  return near.filter((found) => found.distance === best).map(({ name }) => name).sort();
}

/** Dashes would make options more alike than they are. */
function bare(name: string): string {
  return name.replace(/^--/, "").toLowerCase();
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
